/// The deadline of a run.
///
/// No timer watches the deadline. Whenever a runner reads the clock, it compares the result with
/// the deadline. All other waits, such as those of a body, an attempt, or a run at rest, end at the
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

  /// Ends the waits in a run that is at rest when its deadline passes. In a teardown, pebbles that
  /// need a thread then start without one. Any other run is cancelled.
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
