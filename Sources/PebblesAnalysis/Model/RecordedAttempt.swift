/// One call of a body, as data. Times are offsets from the start of the run.
public struct RecordedAttempt: Sendable, Hashable {
  /// When the body was called.
  public let started: Duration

  /// When it ended, or was given up.
  public let finished: Duration

  /// What its error said; `nil` if it succeeded.
  public let error: String?

  /// Makes a record of a call.
  ///
  /// - Parameters:
  ///   - started: When the body was called.
  ///   - finished: When it ended, or was given up.
  ///   - error: What its error said; `nil` if it succeeded.
  public init(started: Duration, finished: Duration, error: String? = nil) {
    self.started = started
    self.finished = finished
    self.error = error
  }
}
