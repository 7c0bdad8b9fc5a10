@testable import Pebbles

extension Pond {
  /// The faults that prevent a start of the pond. If there are none, reading this property starts
  /// the pond.
  var faultsOfStart: [PondError.Fault] {
    do {
      _ = try start()
      return []
    } catch {
      return error.faults
    }
  }
}
