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
  /// A failure is handled when a pebble that ran has it in its condition, see
  /// ``Report/unhandledFailures``. As long as such a pebble may still run, the failure is none of
  /// the policy's business; once the last of them has been skipped, the run is cancelled.
  public static let cancelAll = FailurePolicy(kind: .cancelAll)

  /// A closure decides for each failure whether the run goes on.
  ///
  /// ```swift
  /// Pond("boot", onFailure: .custom { $0.error is ConfigurationError ? .cancelAll : .goOn })
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

/// A pebble that has just failed, as a ``FailurePolicy`` sees it.
public struct PebbleFailure: Sendable {
  /// The name of the pebble.
  public let pebble: String

  /// What its last attempt threw.
  public let error: any Error

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
  public init(pebble: String, error: any Error) {
    self.pebble = pebble
    self.error = error
  }
}

/// What a ``FailurePolicy`` makes of a failure.
public enum FailureDecision: Sendable, Hashable {
  /// Conditions decide what comes of it.
  case goOn

  /// The run is cancelled: what runs is told, what has not started is skipped.
  case cancelAll
}
