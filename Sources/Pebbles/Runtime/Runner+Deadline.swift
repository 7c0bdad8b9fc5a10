/// The deadline of a run.
///
/// No timer watches the deadline. Instead, a runner compares the time with the deadline whenever it
/// reads the clock. Bodies, attempts, runs at rest and anything else that waits stop waiting at the
/// deadline at the latest.
extension Runner {
  /// Cancels the run if its deadline has passed. The recorded time of the cancellation is the
  /// deadline.
  ///
  /// - Returns: Whether the deadline has passed.
  @inline(__always)
  @discardableResult
  func cancelIfDeadlinePassed(at time: UInt64) -> Bool {
    // `.max` means that there is no deadline, even if the clock has reached the end of its range.
    guard time >= deadline, deadline < .max else { return false }
    core.cancel(.deadlinePassed, at: deadline)
    return true
  }

  /// Ends all waiting in a run at rest whose deadline has passed. If the run is a teardown, pebbles
  /// that need a thread start without one. Otherwise, the run is cancelled.
  func waitsNoLonger() {
    guard let deadline = core.options.deadline else { return }
    if core.options.purpose.isTeardown {
      queue.ordered?.wantNoThreads(admitsAll: true)
    } else {
      core.cancel(.deadlinePassed, at: deadline)
    }
  }
}

extension RunCore {
  func isDeadlinePassed(at time: UInt64) -> Bool {
    options.deadline.map { time >= $0 } ?? false
  }
}
