import Synchronization

/// A permission for one body to block a thread.
struct ThreadLease: Sendable {
  private let threads: BlockingThreads
  private let run: RunIdentifier

  init(_ threads: BlockingThreads, _ run: RunIdentifier) {
    self.threads = threads
    self.run = run
  }

  /// Records that the body was abandoned. Another thread replaces the body's thread.
  func abandon() {
    threads.changeAdmission { $0.abandoned(by: run) }
  }

  /// Releases the thread after the body has returned.
  ///
  /// - Parameter wasAbandoned: Whether the body had been abandoned.
  func end(wasAbandoned: Bool = false) {
    threads.changeAdmission { wasAbandoned ? $0.abandonedReturned() : $0.returned(by: run) }
  }
}

extension BlockingThreads {
  /// Waits until a body may block a thread.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - priority: The priority of the pebble.
  ///   - timer: A function that starts a timer and returns the timer's task. Its argument is a
  ///     closure that ends the wait; the timer must call this closure when the time is up. Pass
  ///     `nil` to wait without a time limit.
  /// - Returns: The permission; `nil` if the waiting task was cancelled, or if the wait timed out.
  /// - Throws: ``BlockingThreadShortage`` if no thread will become available.
  func lease(
    for run: RunIdentifier, priority: Int,
    timer: ((@escaping @Sendable () -> Void) -> Task<Void, Never>)? = nil
  ) async throws(BlockingThreadShortage) -> ThreadLease? {
    let answer = Promise<BlockingThreadAdmission.Answer>()
    let number = Atomic(0)
    changeAdmission { admission in
      let (own, replies) = admission.add(run: run, priority: priority, answer)
      number.store(own, ordering: .relaxed)
      return replies
    }
    let timeout = timer?({ self.changeAdmission { $0.withdraw(number.load(ordering: .relaxed)) } })
    defer { timeout?.cancel() }
    let given = await withTaskCancellationHandler {
      await answer.value()
    } onCancel: {
      changeAdmission { $0.withdraw(number.load(ordering: .relaxed)) }
    }
    switch given {
    case .granted: return ThreadLease(self, run)
    case .refused(let shortage): throw shortage
    case .withdrawn: return nil
    }
  }

  /// Returns a permission for a teardown, without waiting for a thread. A wait might never end,
  /// because the bodies that hold the threads may never return.
  ///
  /// - Returns: The permission; `nil` if the maximum number of threads has been reached.
  func leaseAtOnce() -> ThreadLease? {
    // The thread does not count for any run, because a run must not lose its own thread to it.
    let run = RunIdentifier()
    return withAdmission { $0.addAtOnce(run: run) } ? ThreadLease(self, run) : nil
  }
}
