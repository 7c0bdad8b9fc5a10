/// A pebble did not end in time.
///
/// The task of its body has been cancelled. If the body goes on all the same, the run does not wait
/// for it: what it returns is dropped, and ``PebbleRecord/isStillRunning`` tells.
public struct PebbleTimeout: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pebble.
  public let pebble: String

  /// How long the attempt was allowed to take, or the whole run.
  public let limit: Duration

  /// Whether it was the deadline of the run that passed, not the timeout of the pebble.
  public let isDeadlineOfRun: Bool

  /// The error as a sentence.
  public var description: String {
    isDeadlineOfRun
      ? "the run's deadline of \(limit) passed before it ended"
      : "it did not end within \(limit)"
  }
}
