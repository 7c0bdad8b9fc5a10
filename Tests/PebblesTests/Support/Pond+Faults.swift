@testable import Pebbles

extension Pond {
  /// What a start is refused for; empty if there is nothing, and then the pond runs.
  var faultsOfStart: [PondError.Fault] {
    do {
      _ = try start()
      return []
    } catch {
      return error.faults
    }
  }
}
