/// One call of the body of a pebble. Times are offsets from the start of the run.
public struct PebbleAttempt: Sendable {
  /// When the body was called.
  public let started: Duration

  /// When it ended, or was given up.
  public let finished: Duration

  /// What it failed with; `nil` if it succeeded.
  public let error: (any Error)?

  package init(started: Duration, finished: Duration, error: (any Error)?) {
    self.started = started
    self.finished = finished
    self.error = error
  }
}
