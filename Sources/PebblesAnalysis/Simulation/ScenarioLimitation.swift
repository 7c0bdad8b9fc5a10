/// Something that is not taken into account in what is said of the scenarios of a pond, or of one
/// of them. There may be more with later versions.
public struct ScenarioLimitation: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case failurePolicy
    case tooLarge(unknownPebbles: Int, limit: Int)
  }

  package let kind: Kind

  /// A failure ends the run, or may, by the failure policy of the pond; here, all that can has
  /// ended before. What a policy does that is a closure is not known. Nor are the endings of all
  /// scenarios counted, if a failure from before a stall may be left unhandled by what starts after
  /// it: the order in which bodies end decides them then.
  public static let failurePolicy = ScenarioLimitation(kind: .failurePolicy)

  /// Some functions do not fit into the limit on the size of the decision diagram: nothing is said
  /// of these pebbles. What is said of others is exact.
  public static func tooLarge(unknownPebbles: Int, limit: Int) -> ScenarioLimitation {
    ScenarioLimitation(kind: .tooLarge(unknownPebbles: unknownPebbles, limit: limit))
  }
}

extension ScenarioLimitation {
  /// Of how many pebbles nothing is said, because the decision diagram has a ``limit``.
  public var unknownPebbleCount: Int {
    if case .tooLarge(let count, _) = kind { count } else { 0 }
  }

  /// The limit on the size of the decision diagram, in nodes, if that is what it is about.
  public var limit: Int? {
    if case .tooLarge(_, let limit) = kind { limit } else { nil }
  }
}

extension ScenarioLimitation: CustomStringConvertible {
  /// The limitation as a sentence.
  public var description: String {
    switch kind {
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
