import Pebbles

/// A thread that runs schedule loops. Without it, each loop would occupy one of the concurrency
/// pool's few threads. The task that starts the loops also runs on this thread, so no loop has to
/// wait for a thread switch.
///
/// The thread ends when this object is released.
final class LoopThread: TaskExecutor {
  private struct State: Sendable {
    var work: [@Sendable () -> Void] = []
    var isOver = false

    enum Next {
      case work(@Sendable () -> Void)
      case end
    }

    mutating func takeNext() -> Next? {
      work.isEmpty ? (isOver ? .end : nil) : .work(work.removeFirst())
    }
  }

  private let state: Monitor<State>

  /// Starts the thread.
  ///
  /// - Throws: ``ExplorationError/noThread`` if the system cannot start the thread.
  init() throws(ExplorationError) {
    let state = Monitor(State())
    self.state = state
    let isStarted = SystemThread.start(named: "pebble-explore") {
      while case .work(let work)? = state.wait(until: { $0.takeNext() }) { work() }
    }
    guard isStarted else { throw .noThread }
  }

  deinit {
    state.withLock { content in
      content.isOver = true
      state.notifyAll()
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    add { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Calls `body` on the thread, outside of any task, and returns the result. This method waits for
  /// `body` to end even if the calling task is cancelled.
  func perform<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      add { continuation.resume(returning: body()) }
    }
  }

  private func add(_ work: @escaping @Sendable () -> Void) {
    state.withLock { content in
      content.work.append(work)
      state.notifyAll()
    }
  }
}
