import Synchronization

/// A record of the resources that the bodies of a resumption round open and close, and of the
/// errors that are found.
final class ResumptionLedger: Sendable {
  /// A resource opened by a body.
  struct Opened: Hashable, Sendable {
    let pebble: Int
    let call: Int
  }

  private struct State {
    var callsSoFar = 0
    var running: [Int: Int] = [:]
    var open: Set<Opened> = []
    var closed: Set<Opened> = []

    /// The inputs used by each open resource.
    var inputs: [Opened: [Opened]] = [:]
    var complaints: [String] = []
  }

  private let state = Mutex(State())

  var complaints: [String] { state.withLock(\.complaints) }

  /// Whether no body is running and all resources are closed.
  var isAtRest: Bool {
    state.withLock { $0.running.values.allSatisfy { $0 == 0 } && $0.open.isEmpty }
  }

  /// A description of the running bodies and the open resources.
  var unfinished: String {
    state.withLock { state in
      let running = state.running.filter { $0.value > 0 }.keys.sorted()
      return "p\(running) run, and open are \(state.open.map { "p\($0.pebble)" }.sorted())"
    }
  }

  func complain(_ sentence: String) { state.withLock { $0.complaints.append(sentence) } }

  /// Records a call to a body.
  func called(_ pebble: Int, with inputs: [Opened]) {
    state.withLock { state in
      state.running[pebble, default: 0] += 1
      if state.running[pebble] != 1 { state.complaints.append("p\(pebble) runs beside itself") }
      for input in inputs where !state.open.contains(input) {
        state.complaints.append("p\(pebble) was handed what p\(input.pebble) had and is closed")
      }
    }
  }

  func ended(_ pebble: Int) { state.withLock { $0.running[pebble, default: 0] -= 1 } }

  func open(_ pebble: Int, with inputs: [Opened]) -> Opened {
    state.withLock { state in
      state.callsSoFar += 1
      let opened = Opened(pebble: pebble, call: state.callsSoFar)
      state.open.insert(opened)
      state.inputs[opened] = inputs
      return opened
    }
  }

  func close(_ opened: Opened) {
    state.withLock { state in
      if state.open.remove(opened) == nil || !state.closed.insert(opened).inserted {
        state.complaints.append("what p\(opened.pebble) has opened was closed twice")
      }
      for (user, inputs) in state.inputs
      where inputs.contains(opened) && state.open.contains(user) {
        state.complaints.append("p\(opened.pebble) was closed before p\(user.pebble) that uses it")
      }
      state.inputs[opened] = nil
    }
  }
}
