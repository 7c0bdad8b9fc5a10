import Pebbles
import Synchronization

/// A group of services that record their events, and end, hang or fail on a test's request.
package final class ServiceCrew: Sendable {
  private struct State {
    var calls: [String: Int] = [:]
    var open: [String: Int] = [:]
    var up: [String: Int] = [:]
    var crashes: [String: Gate] = [:]
    var stops: [String: Gate] = [:]
    var starts: [String: Gate] = [:]
    var failing: Set<String> = []
    var failsWhenStopped: Set<String> = []
    var faults: [String] = []
  }

  private let state = Mutex(State())
  private let journal = Logbook<String>()

  package init() {}

  package var entries: [String] { journal.entries }

  /// The errors in the use of outputs: an output that was closed although it was not open, or
  /// opened again before it was closed.
  package var faults: [String] { state.withLock(\.faults) }

  /// The number of outputs that are open.
  package var openCount: Int { state.withLock { $0.open.count } }

  package func isUp(_ name: String, _ call: Int) -> Bool { state.withLock { $0.up[name] == call } }

  package func crash(_ name: String) { state.withLock { $0.crashes[name] }?.open() }

  package func holdStop(_ name: String) { state.withLock { $0.stops[name] = Gate() } }

  package func letStop(_ name: String) { state.withLock { $0.stops[name] }?.open() }

  package func holdStart(_ name: String, _ call: Int) {
    state.withLock { $0.starts["\(name) \(call)"] = Gate() }
  }

  package func letStart(_ name: String, _ call: Int) {
    state.withLock { $0.starts["\(name) \(call)"] }?.open()
  }

  package func failsToStart(_ name: String, _ call: Int) {
    state.withLock { _ = $0.failing.insert("\(name) \(call)") }
  }

  package func failsWhenStopped(_ name: String) {
    state.withLock { _ = $0.failsWhenStopped.insert(name) }
  }

  /// Records that the output of a call is open.
  package func opens(_ name: String, _ call: Int) { state.withLock { $0.open[name] = call } }

  /// Returns the teardown of a service, which closes its output and records an error if the output
  /// is not open.
  package func closing(_ name: String) -> @Sendable (Int) async throws -> Void {
    { [self] call in
      journal.note("close \(name) \(call)")
      state.withLock { state in
        if state.open[name] != call { state.faults.append("\(name) \(call) was not open") }
        state.open[name] = nil
      }
    }
  }

  /// Runs the body of a service, whose output is the number of the call.
  package func run(_ name: String, _ ready: ServiceReady<Int>, with inputs: Int...) async throws {
    let crash = Gate()
    let call = state.withLock { state -> Int in
      state.calls[name, default: 0] += 1
      state.crashes[name] = crash
      return state.calls[name, default: 0]
    }
    journal.note("\(name) \(call)" + (inputs.isEmpty ? "" : " with \(inputs)"))
    if let start = state.withLock({ $0.starts["\(name) \(call)"] }) {
      await start.passedUnlessCancelled()
      if Task.isCancelled {
        journal.note("\(name) \(call) is cancelled")
        throw CancellationError()
      }
    }
    if state.withLock({ $0.failing.contains("\(name) \(call)") }) { throw Breakdown(name) }
    state.withLock { state in
      if let last = state.open[name] { state.faults.append("\(name) \(last) is open") }
      state.open[name] = call
      state.up[name] = call
    }
    ready(call)
    await withTaskGroup { group in
      group.addTask {
        await ready.stopRequested()
        if !crash.isOpen { self.journal.note("\(name) \(call) stops") }
        if let stop = self.state.withLock({ $0.stops[name] }), !crash.isOpen {
          await stop.passed(or: crash)
        }
      }
      group.addTask { await crash.passedUnlessCancelled() }
      await group.next()
      group.cancelAll()
    }
    if crash.isOpen {
      journal.note("\(name) \(call) crashes")
      throw Breakdown(name)
    }
    if state.withLock({ $0.failsWhenStopped.contains(name) }) { throw Breakdown(name) }
  }
}
