/// A pebble did not end in time.
///
/// The task of its body has been cancelled. If the body goes on all the same, the run does not wait
/// for it: ``PebbleRecord/isStillRunning`` tells, and what it returns after all is handed to the
/// pebble's teardown.
public struct PebbleTimeout: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pebble.
  public let pebble: String

  /// How long the attempt was allowed to take, or the whole run.
  public let limit: Duration

  package enum Scope: Sendable {
    case attempt
    case run
    case shutdown
  }

  package let scope: Scope

  package init(pebble: String, limit: Duration, _ scope: Scope) {
    self.pebble = pebble
    self.limit = limit
    self.scope = scope
  }

  /// Whether it was the deadline of the run that passed, not the timeout of the pebble.
  public var isDeadlineOfRun: Bool { scope == .run }

  /// Whether it was the deadline of a shutdown that passed, not the timeout of the pebble.
  public var isDeadlineOfShutdown: Bool { scope == .shutdown }

  /// The error as a sentence.
  public var description: String {
    switch scope {
    case .attempt: "it did not end within \(limit)"
    case .run: "the run's deadline of \(limit) passed before it ended"
    case .shutdown: "the shutdown's deadline of \(limit) passed before it ended"
    }
  }
}
