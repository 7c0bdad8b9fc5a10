/// Something that is not taken into account in what is said of the scenarios of a pond, or of one
/// of them.
public enum ScenarioLimitation: Sendable, Hashable {
  /// The pond has predicates. Nothing is known of them, so each is taken to hold or not, whatever
  /// else happens. Scenarios may be among these in which they never do that.
  case predicates(count: Int)

  /// The pond has predicates, and bodies that are only assumed to succeed have no outputs for them
  /// to look at.
  case noOutputs(predicates: Int)

  /// The pond has predicates, and the model was read from a file, which has no closures: they never
  /// hold.
  case unknownPredicates(count: Int)

  /// A predicate reads pebbles that depend on it. In which order things happen then makes a
  /// difference, and only its holding from the start, or never, is taken into account.
  case predicateInCycle

  /// A failing pebble may end the run, by the failure policy of the pond; here, every run goes on
  /// to its end.
  case failurePolicy

  /// Some functions do not fit into the limit on the size of the decision diagram: nothing is said
  /// of these pebbles. What is said of others is exact.
  case tooLarge(unknownPebbles: Int, limit: Int)
}

extension ScenarioLimitation: CustomStringConvertible {
  /// The limitation as a sentence.
  public var description: String {
    switch self {
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
      "the failure policy of the pond may end a run early, which is not taken into account"
    case .tooLarge(1, let limit):
      "1 pebble is unknown, as its decision diagram has over \(limit) nodes; "
        + "a larger limit may help"
    case .tooLarge(let count, let limit):
      "\(count) pebbles are unknown, as their decision diagrams have over \(limit) nodes; "
        + "a larger limit may help"
    }
  }
}

/// A question about scenarios that cannot be answered, although all pebbles it mentions are there.
public enum ScenarioError: Error, Sendable, Hashable {
  /// A predicate that no pebble of the pond waits for: nothing can be said of it.
  case foreignPredicate(mentionedBy: String)
}

extension ScenarioError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .foreignPredicate(let text):
      "\(text.singleLine.truncated(to: 200)) has a predicate that no pebble waits for, "
        + "of which nothing is known; use outcomes instead"
    }
  }
}
