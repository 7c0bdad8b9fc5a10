/// One call of the body of a pebble. Times are offsets from the start of the run.
public struct PebbleAttempt: Sendable {
  /// When the body was called.
  public let started: Duration

  /// When it ended, or was given up.
  public let finished: Duration

  /// What it failed with; `nil` if it succeeded.
  public let error: (any Error)?
}

/// How a service ended after it had been ready.
public struct ServiceEnd: Sendable {
  /// When, as an offset from the start of the run.
  public let time: Duration

  /// What its body threw; `nil` if it returned.
  public let error: (any Error)?
}
