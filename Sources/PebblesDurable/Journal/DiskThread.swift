import Pebbles

/// A thread that waits for the disk, so that the threads of the concurrency pool are not blocked.
/// All requests made during one wait are served together by the next wait.
final class DiskThread: Sendable {
  private struct Requests {
    var waiting: [CheckedContinuation<Void, Never>] = []
    var work: (@Sendable () -> Void)?
    var isRunning = false
    var isEnded = false

    /// The action to run once all work is done.
    var finalAction: (@Sendable () -> Void)?
  }

  private let requests = Monitor(Requests())
  private let start: @Sendable (_ body: @escaping @Sendable () -> Void) -> Bool

  /// Creates an object whose thread is started only when there is work to do.
  ///
  /// - Parameter start: A closure that starts a thread, and returns whether the thread was started.
  init(
    startingThread start: @escaping @Sendable (_ body: @escaping @Sendable () -> Void) -> Bool = {
      SystemThread.start(named: "pond-journal", $0)
    }
  ) {
    self.start = start
  }

  /// Runs `work` on the thread, and returns when the work is done. If several calls are waiting for
  /// the thread, only the work of the latest call is done, and then all of them return.
  func run(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      let isFirst = requests.withLock { content in
        content.waiting.append(continuation)
        content.work = work
        defer { content.isRunning = true }
        requests.notifyOne()
        return !content.isRunning
      }
      if isFirst, !start({ [requests] in Self.serve(requests, waitsForMore: true) }) {
        // The system has no thread for the work, so it is done here.
        Self.serve(requests, waitsForMore: false)
      }
    }
  }

  deinit { end() }

  /// Lets the thread end when all work is done.
  ///
  /// - Parameter finalAction: The action to run at the end of the thread, or immediately if there
  ///   is no thread.
  func end(_ finalAction: (@Sendable () -> Void)? = nil) {
    let isRunning = requests.withLock { content in
      content.isEnded = true
      if content.isRunning, let finalAction { content.finalAction = finalAction }
      requests.notifyOne()
      return content.isRunning
    }
    if !isRunning { finalAction?() }
  }

  /// Performs the requested work.
  ///
  /// - Parameters:
  ///   - requests: The requests.
  ///   - waitsForMore: Whether to wait for further requests until the thread is told to end.
  private static func serve(_ requests: Monitor<Requests>, waitsForMore: Bool) {
    while let (waiting, work) = next(requests, waitsForMore: waitsForMore) {
      work()
      for continuation in waiting { continuation.resume() }
    }
    requests.withLock { $0.finalAction.take() }?()
  }

  private static func next(
    _ requests: Monitor<Requests>, waitsForMore: Bool
  ) -> (waiting: [CheckedContinuation<Void, Never>], work: @Sendable () -> Void)? {
    requests.wait(until: { requests in
      // The work is removed, because it holds a reference to the journal.
      if let work = requests.work.take() {
        defer { requests.waiting = [] }
        return .some((requests.waiting, work))
      }
      guard requests.isEnded || !waitsForMore else { return nil }
      // Later requests get another thread.
      requests.isRunning = false
      return .some(nil)
    }) ?? nil
  }
}
