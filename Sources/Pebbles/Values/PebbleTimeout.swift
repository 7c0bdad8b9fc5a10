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

  /// Whether it was the limit of the run that passed, not the timeout of the pebble.
  public var isLimitOfRun: Bool { scope == .run }

  /// Whether it was the limit of a shutdown that passed, not the timeout of the pebble.
  public var isLimitOfShutdown: Bool { scope == .shutdown }

  /// The error as a sentence.
  public var description: String {
    switch scope {
    case .attempt: "it did not end within \(limit)"
    case .run: "it had not ended within the \(limit) that the run was given"
    case .shutdown: "it had not ended within the \(limit) that the shutdown gave it"
    }
  }
}
