/// Something that is not taken into account in what is said of the scenarios of a pond, or of one
/// of them. There may be more with later versions.
public struct ScenarioLimitation: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case predicates(count: Int)
    case noOutputs(predicates: Int)
    case unknownPredicates(count: Int)
    case predicateInCycle
    case failurePolicy
    case tooLarge(unknownPebbles: Int, limit: Int)
  }

  package let kind: Kind

  /// The pond has predicates. Nothing is known of them, so each is taken to hold or not, whatever
  /// else happens. Scenarios may be among these in which they never do that.
  public static func predicates(count: Int) -> ScenarioLimitation {
    ScenarioLimitation(kind: .predicates(count: count))
  }

  /// The pond has predicates, and bodies that are only assumed to succeed have no outputs for them
  /// to look at.
  public static func noOutputs(predicates: Int) -> ScenarioLimitation {
    ScenarioLimitation(kind: .noOutputs(predicates: predicates))
  }

  /// The pond has predicates, and the model was read from a file, which has no closures: they never
  /// hold.
  public static func unknownPredicates(count: Int) -> ScenarioLimitation {
    ScenarioLimitation(kind: .unknownPredicates(count: count))
  }

  /// A predicate reads pebbles that depend on it. In which order things happen then makes a
  /// difference, and only its holding from the start, or never, is taken into account.
  public static let predicateInCycle = ScenarioLimitation(kind: .predicateInCycle)

  /// A failure ends the run, or may, by the failure policy of the pond; here, everything else has
  /// ended before. What a policy does that is a closure is not known.
  public static let failurePolicy = ScenarioLimitation(kind: .failurePolicy)

  /// Some functions do not fit into the limit on the size of the decision diagram: nothing is said
  /// of these pebbles. What is said of others is exact.
  public static func tooLarge(unknownPebbles: Int, limit: Int) -> ScenarioLimitation {
    ScenarioLimitation(kind: .tooLarge(unknownPebbles: unknownPebbles, limit: limit))
  }
}

extension ScenarioLimitation {
  /// How many predicates it is about; none if it is about something else.
  public var predicateCount: Int {
    switch kind {
    case .predicates(let count), .noOutputs(let count), .unknownPredicates(let count): count
    case .predicateInCycle, .failurePolicy, .tooLarge: 0
    }
  }

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
    case .predicates(1): "the pond has a predicate, which is taken to hold or not as it likes"
    case .predicates(let count):
      "the pond has \(count) predicates, which are taken to hold or not as they like"
    case .noOutputs(1):
      "the pond has a predicate, which finds no outputs to look at"
    case .noOutputs(let count):
      "the pond has \(count) predicates, which find no outputs to look at"
    case .unknownPredicates(1):
      "the pond has a predicate, which was not in the file and never holds"
    case .unknownPredicates(let count):
      "the pond has \(count) predicates, which were not in the file and never hold"
    case .predicateInCycle:
      "a predicate reads pebbles that depend on it, and is taken to hold from the start or never"
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
