/// The effect of a failing pebble on the rest of the run, beyond its effect on conditions.
///
/// Later versions may add policies.
@nonexhaustive public enum FailurePolicy: Sendable {
  /// A policy under which a failure has no effect beyond the conditions of other pebbles.
  case ignore

  /// A policy under which the run is cancelled at the first failure that no pebble handles.
  ///
  /// To handle a failure, a pebble must run, and must read the failure or a pebble that was skipped
  /// because of the failure; see ``Report/unhandledFailures``. The policy has no effect while such
  /// a pebble may still run, and cancels the run once no such pebble remains. Whether a run is
  /// cancelled therefore depends on how bodies end, not on when they end. Timing affects only which
  /// pebbles are still unfinished when the run is cancelled.
  case cancelAll

  /// A policy that lets a closure decide, for each failure, whether the run continues.
  ///
  /// ```swift
  /// Pond("boot", onFailure: .custom { failure in
  ///   failure.error is ConfigurationError ? .cancelAll : .cancelUnlessHandled
  /// })
  /// ```
  ///
  /// - Parameter decide: A closure that is called once for each failing pebble, as soon as the
  ///   pebble fails. Calls for different pebbles may overlap. The closure must be quick and must
  ///   not block.
  case custom(_ decide: @Sendable (PebbleFailure) -> FailureDecision)

  /// The name of a policy, without the closure of a custom policy.
  package enum Name: String, Sendable {
    case ignore, cancelAll, custom
  }

  package var name: Name {
    switch self {
    case .ignore: .ignore
    case .cancelAll: .cancelAll
    case .custom: .custom
    }
  }

  package var isIgnoring: Bool { name == .ignore }
}

extension FailurePolicy {
  /// Creates the policy with the given name; returns `nil` if the policy needs a closure.
  package init?(named name: Name) {
    switch name {
    case .ignore: self = .ignore
    case .cancelAll: self = .cancelAll
    case .custom: return nil
    }
  }
}

/// A pebble that has just failed, as passed to the closure of a ``FailurePolicy``.
public struct PebbleFailure: Sendable {
  /// The name of the pebble.
  public let pebble: String

  /// The error with which the pebble failed.
  public let error: any Error

  /// Whether a pebble handles the failure or may still handle it; see ``Report/unhandledFailures``.
  /// An unsettled pebble may still handle the failure if it reads the failure, or if it reads a
  /// pebble that was skipped because of the failure.
  ///
  /// If this property is `false`, no pebble will ever handle the failure. If it is `true`, the
  /// failure may still turn out to be unhandled. To let the run wait until this is certain, return
  /// ``FailureDecision/cancelUnlessHandled``. Any other decision that is based on this property
  /// depends on which pebble happened to settle first.
  public let mayBeHandled: Bool

  /// Creates a failure to pass to a policy's closure in a test.
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
  ///   - error: The error with which the pebble failed.
  ///   - mayBeHandled: Whether a pebble handles the failure, or may still handle it.
  public init(pebble: String, error: any Error, mayBeHandled: Bool = false) {
    self.pebble = pebble
    self.error = error
    self.mayBeHandled = mayBeHandled
  }
}

/// The decision that a ``FailurePolicy`` makes about a failure.
public enum FailureDecision: Sendable, Hashable {
  /// The decision to let the run continue, so that only conditions react to the failure.
  case goOn

  /// The decision to cancel the run: the tasks of running bodies are cancelled, and pebbles that
  /// have not started are skipped.
  case cancelAll

  /// The decision to cancel the run if no pebble handles the failure, as with
  /// ``FailurePolicy/cancelAll``. The run is cancelled immediately, or when the last pebble that
  /// might have handled the failure is skipped.
  case cancelUnlessHandled
}
