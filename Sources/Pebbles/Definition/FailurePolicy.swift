/// What a failing pebble means for the rest of the run, beyond what conditions say.
public struct FailurePolicy: Sendable {
  package enum Kind: Sendable {
    case ignore
    case cancelAll
    case custom(@Sendable (PebbleFailure) -> FailureDecision)
  }

  package let kind: Kind

  /// A failure means what the conditions of other pebbles make of it, and nothing more.
  public static let ignore = FailurePolicy(kind: .ignore)

  /// The first failure that no pebble handles cancels the run.
  ///
  /// A failure is handled when a pebble that reads it runs, or one that reads what was skipped
  /// because of it, see ``Report/unhandledFailures``. As long as such a pebble may still run, the
  /// failure is none of the policy's business; once none is left, the run is cancelled. So whether
  /// a run is cancelled depends on how bodies end, and not on when; only what the cancellation
  /// still catches does.
  public static let cancelAll = FailurePolicy(kind: .cancelAll)

  /// A closure decides for each failure whether the run goes on.
  ///
  /// ```swift
  /// Pond("boot", onFailure: .custom { failure in
  ///   failure.error is ConfigurationError ? .cancelAll : .cancelUnlessHandled
  /// })
  /// ```
  ///
  /// - Parameter decide: Called once for each pebble that fails, when it does, perhaps for several
  ///   at the same time. It must be quick and must not block.
  /// - Returns: The policy.
  public static func custom(
    _ decide: @escaping @Sendable (PebbleFailure) -> FailureDecision
  ) -> FailurePolicy {
    FailurePolicy(kind: .custom(decide))
  }

  /// The policy without the closure it may have.
  package enum Name: String, Sendable {
    case ignore, cancelAll, custom
  }

  package var name: Name {
    switch kind {
    case .ignore: .ignore
    case .cancelAll: .cancelAll
    case .custom: .custom
    }
  }

  package var isIgnoring: Bool { name == .ignore }
}

extension FailurePolicy {
  /// The policy of a name; `nil` for one that is a closure.
  package init?(named name: Name) {
    switch name {
    case .ignore: self = .ignore
    case .cancelAll: self = .cancelAll
    case .custom: return nil
    }
  }
}

/// A pebble that has just failed, as a ``FailurePolicy`` sees it.
public struct PebbleFailure: Sendable {
  /// The name of the pebble.
  public let pebble: String

  /// What its last attempt threw.
  public let error: any Error

  /// Whether a pebble handles the failure, by the rule of ``Report/unhandledFailures``, or may
  /// still do so: it has not settled, and reads the failure or what was skipped because of it.
  ///
  /// If not, it never will be handled. If so, it may turn out not to be; to go by how that turns
  /// out, and not by what happened to settle first, return ``FailureDecision/cancelUnlessHandled``.
  public let mayBeHandled: Bool

  /// Makes a failure, for the test of what decides about one.
  ///
  /// ```swift
  /// @Test func aWrongConfigurationEndsTheBoot() {
  ///   let failure = PebbleFailure(pebble: "readConfiguration", error: ConfigurationError.missing)
  ///   #expect(Boot.decide(failure) == .cancelAll)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - pebble: The name of the pebble.
  ///   - error: What its last attempt threw.
  ///   - mayBeHandled: Whether a pebble handles the failure, or may still do so.
  public init(pebble: String, error: any Error, mayBeHandled: Bool = false) {
    self.pebble = pebble
    self.error = error
    self.mayBeHandled = mayBeHandled
  }
}

/// What a ``FailurePolicy`` makes of a failure.
public enum FailureDecision: Sendable, Hashable {
  /// Conditions decide what comes of it.
  case goOn

  /// The run is cancelled: what runs is told, what has not started is skipped.
  case cancelAll

  /// The run is cancelled if no pebble handles the failure, as ``FailurePolicy/cancelAll`` does it:
  /// now, or once the last that might have done so has been skipped.
  case cancelUnlessHandled
}
