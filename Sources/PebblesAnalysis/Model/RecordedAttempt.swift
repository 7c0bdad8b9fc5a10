/// One call of a body, as data. Times are offsets from the start of the run.
public struct RecordedAttempt: Sendable, Hashable {
  /// The time at which the body was called.
  public let started: Duration

  /// The time at which the call ended, or was given up.
  public let finished: Duration

  /// The error message; `nil` if the call succeeded.
  public let error: String?

  /// Creates a record of a call.
  ///
  /// - Parameters:
  ///   - started: The time at which the body was called.
  ///   - finished: The time at which the call ended, or was given up.
  ///   - error: The error message; `nil` if the call succeeded.
  public init(started: Duration, finished: Duration, error: String? = nil) {
    self.started = started
    self.finished = finished
    self.error = error
  }
}
