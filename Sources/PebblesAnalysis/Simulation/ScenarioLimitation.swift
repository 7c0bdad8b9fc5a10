import Pebbles

/// An effect that a scenario analysis ignores. Later versions may add limitations.
@nonexhaustive public enum ScenarioLimitation: Sendable, Hashable {
  /// The failure policy of the pond, which may end the run early. The analysis applies the policy
  /// only after all bodies that can end have ended. If the policy is a closure, its effect is
  /// unknown. Endings are not counted at all if a pebble that starts after a stall may leave an
  /// earlier failure unhandled, because the endings then depend on which body ends first.
  case failurePolicy

  /// A decision diagram that would have more than `limit` nodes. Nothing is known about the
  /// `unknownPebbles` pebbles that need such a diagram. Statements about all other pebbles are
  /// exact.
  case tooLarge(unknownPebbles: Int, limit: Int)
}

extension ScenarioLimitation: CustomStringConvertible {
  /// The limitation as a sentence.
  public var description: String {
    switch self {
    case .failurePolicy:
      "the failure policy of the pond may end the run early, which is not taken into account"
    case .tooLarge(1, let limit):
      "1 pebble is unknown, as its decision diagram has over \(limit) nodes; "
        + "a larger limit may help"
    case .tooLarge(let count, let limit):
      "\(count) pebbles are unknown, as their decision diagrams have over \(limit) nodes; "
        + "a larger limit may help"
    }
  }
}

extension PondModel {
  /// Returns the limitations that the failure policy imposes on a simulated run.
  ///
  /// - Parameters:
  ///   - hasFailures: Whether any body failed.
  ///   - isCancelled: Whether the policy `.cancelAll` cancels the run. The argument is evaluated
  ///     only if the pond has this policy.
  /// - Returns: The limitations. The array is empty unless the policy may end the run earlier than
  ///   in the simulation.
  func policyLimitations(
    hasFailures: Bool, isCancelled: @autoclosure () -> Bool
  ) -> [ScenarioLimitation] {
    let mayEndEarlier =
      switch failurePolicy {
      case .ignore: false
      case .cancelAll: isCancelled()
      case .custom: hasFailures
      }
    return mayEndEarlier ? [.failurePolicy] : []
  }
}

extension Replay {
  /// The effects that the simulation of this run ignores.
  var limitations: [ScenarioLimitation] {
    let failed = run.pebbles.indices.filter { run.pebbles[$0].outcome.isFailed }
    var handlers = FailureHandlers(run.model.pond.network)
    return run.model.policyLimitations(
      hasFailures: !failed.isEmpty,
      isCancelled: failed.contains { handlers.handling(ofFailure: $0, in: state) != .handled })
  }
}
