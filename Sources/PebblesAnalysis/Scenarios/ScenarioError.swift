/// A question about scenarios that cannot be answered, although all pebbles it mentions are there.
///
/// More reasons may come with later versions.
public struct ScenarioError: Error, Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case foreignPredicate
  }

  package let kind: Kind

  /// The law or condition that it is about.
  public let mentionedBy: String

  /// A predicate that no pebble of the pond waits for: nothing can be said of it.
  public static func foreignPredicate(mentionedBy text: String) -> ScenarioError {
    ScenarioError(kind: .foreignPredicate, mentionedBy: text)
  }
}

extension ScenarioError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch kind {
    case .foreignPredicate:
      "\(mentionedBy.singleLine.truncated(to: 200)) has a predicate that no pebble waits for, "
        + "of which nothing is known; use outcomes instead"
    }
  }
}
