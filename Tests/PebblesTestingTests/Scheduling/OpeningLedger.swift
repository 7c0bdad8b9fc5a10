import Synchronization

/// A record of the open outputs, which notes a complaint if an output is used while it is not open.
final class OpeningLedger: Sendable {
  private struct State {
    var open: [String: Int] = [:]
    var complaints: [String] = []
  }

  private let state = Mutex(State())

  var complaints: [String] { state.withLock(\.complaints) }
  var isEmpty: Bool { state.withLock { $0.open.isEmpty } }

  func opened(_ name: String) {
    state.withLock { $0.open[name, default: 0] += 1 }
  }

  func closed(_ name: String) {
    state.withLock { state in
      let count = state.open[name, default: 0]
      if count == 0 { state.complaints.append("\(name) was closed twice") }
      state.open[name] = count > 1 ? count - 1 : nil
    }
  }

  func uses(_ name: String) {
    state.withLock { state in
      if state.open[name] == nil { state.complaints.append("\(name) was used when closed") }
    }
  }
}
