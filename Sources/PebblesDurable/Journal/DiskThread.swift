import Pebbles

/// A thread that waits for the disk, so that no thread of the concurrency pool does. All who come
/// while it waits share the next time.
final class DiskThread: Sendable {
  private struct Requests {
    var waiting: [CheckedContinuation<Void, Never>] = []
    var work: (@Sendable () -> Void)?
    var isRunning = false
    var isEnded = false

    /// What is done when all else has been.
    var last: (@Sendable () -> Void)?
  }

  private let requests = Monitor(Requests())

  /// Returns once `work` has been done that began after this was called. Of several that wait, the
  /// work of the last is done for all.
  func after(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      let isFirst = requests.withLock { requests in
        requests.waiting.append(continuation)
        requests.work = work
        defer { requests.isRunning = true }
        return !requests.isRunning
      }
      requests.notifyOne()
      if isFirst, !SystemThread.start(named: "pond-journal", { [requests] in Self.serve(requests) })
      {
        // The system has no thread for it.
        requests.withLock { $0.isEnded = true }
        Self.serve(requests)
        requests.withLock { requests in
          requests.isEnded = false
          requests.isRunning = false
        }
      }
    }
  }

  deinit { end() }

  /// Lets the thread end when all is done.
  ///
  /// - Parameter last: Is done at the end of the thread; here and now if there is none.
  func end(_ last: (@Sendable () -> Void)? = nil) {
    let isRunning = requests.withLock { requests in
      requests.isEnded = true
      if requests.isRunning, let last { requests.last = last }
      return requests.isRunning
    }
    requests.notifyOne()
    if !isRunning { last?() }
  }

  private static func serve(_ requests: Monitor<Requests>) {
    while let (waiting, work) = next(requests) {
      work()
      for continuation in waiting { continuation.resume() }
    }
    requests.withLock { $0.last.take() }?()
  }

  private static func next(
    _ requests: Monitor<Requests>
  ) -> (waiting: [CheckedContinuation<Void, Never>], work: @Sendable () -> Void)? {
    requests.wait(until: { requests in
      // Taken out, as it holds on to the journal.
      if let work = requests.work.take() {
        defer { requests.waiting = [] }
        return .some((requests.waiting, work))
      }
      guard requests.isEnded else { return nil }
      // Who comes after that gets another thread.
      requests.isRunning = false
      return .some(nil)
    }) ?? nil
  }
}
