import Pebbles

/// A thread for loops, which would occupy one of the few of the concurrency pool. Ends with this.
final class LoopThread: Sendable {
  private struct State: Sendable {
    var work: [@Sendable () -> Void] = []
    var isOver = false
  }

  private let state: Monitor<State>

  /// - Throws: ``ExplorationError/noThread`` if the system refuses.
  init() throws(ExplorationError) {
    let state = Monitor(State())
    self.state = state
    let isStarted = SystemThread.start(named: "pebble-explore") {
      while let work = state.wait(until: { state -> (@Sendable () -> Void)?? in
        if let work = state.work.popLast() { return .some(work) }
        return state.isOver ? .some(nil) : nil
      }) ?? nil {
        work()
      }
    }
    guard isStarted else { throw .noThread }
  }

  deinit {
    state.withLock { $0.isOver = true }
    state.notifyAll()
  }

  /// Calls `body` on the thread and waits for it, even if the waiting task is cancelled.
  func call<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      state.withLock { $0.work.append { continuation.resume(returning: body()) } }
      state.notifyAll()
    }
  }
}
