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

  /// The run that has given it up, by which it is told from one that a body throws on; that makes
  /// no difference to whether two are equal.
  let run: RunIdentifier?

  package init(pebble: String, limit: Duration, _ scope: Scope, in run: RunIdentifier? = nil) {
    self.pebble = pebble
    self.limit = limit
    self.scope = scope
    self.run = run
  }

  /// Whether both say the same.
  public static func == (one: PebbleTimeout, other: PebbleTimeout) -> Bool {
    one.pebble == other.pebble && one.limit == other.limit && one.scope == other.scope
  }

  /// Hashes what it says.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(pebble)
    hasher.combine(limit)
    hasher.combine(scope)
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
