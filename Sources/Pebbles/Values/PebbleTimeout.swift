/// The error of a pebble that did not end in time, or of a service that was not ready in time.
///
/// The body's task has been cancelled. If the body continues to run, the run does not wait for it,
/// ``PebbleRecord/isStillRunning`` is `true`, and a value that the body returns later is passed to
/// the pebble's teardown.
public struct PebbleTimeout: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pebble.
  public let pebble: String

  /// The maximum time that the attempt or the run was allowed to take, or that the shutdown gave
  /// the pebble.
  public let limit: Duration

  package enum Scope: Sendable {
    case attempt
    /// The time within which a service must become ready in one attempt.
    case readiness
    case run
    case shutdown
  }

  package let scope: Scope

  /// The identifier of the run that abandoned the pebble; `nil` for the timeout of a restart or a
  /// teardown. If a body rethrows the error of another run, the error keeps the identifier of that
  /// run. The operator `==` ignores the identifier.
  let run: RunIdentifier?

  package init(pebble: String, limit: Duration, _ scope: Scope, in run: RunIdentifier? = nil) {
    self.pebble = pebble
    self.limit = limit
    self.scope = scope
    self.run = run
  }

  /// Returns whether both errors have the same pebble, limit and kind of limit.
  public static func == (one: PebbleTimeout, other: PebbleTimeout) -> Bool {
    one.pebble == other.pebble && one.limit == other.limit && one.scope == other.scope
  }

  /// Hashes the pebble, the limit and the kind of limit.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(pebble)
    hasher.combine(limit)
    hasher.combine(scope)
  }

  /// Whether the run's limit was exceeded, rather than the pebble's timeout.
  public var isLimitOfRun: Bool { scope == .run }

  /// Whether a shutdown's limit was exceeded, rather than the pebble's timeout.
  public var isLimitOfShutdown: Bool { scope == .shutdown }

  /// The error as a sentence.
  public var description: String {
    switch scope {
    case .attempt: "it did not end within \(limit)"
    case .readiness: "it was not ready within \(limit)"
    case .run: "it had not ended within the \(limit) that the run was given"
    case .shutdown: "it had not ended within the \(limit) that the shutdown gave it"
    }
  }
}
