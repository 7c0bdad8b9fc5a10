/// A single call to the body of a pebble. The times are offsets from the start of the run.
public struct PebbleAttempt: Sendable {
  /// The time at which the body was called.
  public let started: Duration

  /// The time at which the body ended or was abandoned, or at which the service became ready.
  public let finished: Duration

  /// The error of the attempt; `nil` if the attempt succeeded.
  public let error: (any Error)?

  package init(started: Duration, finished: Duration, error: (any Error)?) {
    self.started = started
    self.finished = finished
    self.error = error
  }
}
