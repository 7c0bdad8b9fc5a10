/// A question about scenarios that cannot be answered, because it is not about this pond.
///
/// More reasons may come with later versions.
public struct ScenarioError: Error, Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case foreignPebble(String, ofPond: String, mentionedBy: String)
    case foreignPredicate(mentionedBy: String)
  }

  package let kind: Kind

  /// The pebble is not in the model: it belongs to another pond, or was added later.
  public static func foreignPebble(
    _ pebble: String, ofPond pond: String, mentionedBy text: String
  ) -> ScenarioError {
    ScenarioError(kind: .foreignPebble(pebble, ofPond: pond, mentionedBy: text))
  }

  /// A predicate that no pebble of the pond waits for: nothing can be said of it.
  public static func foreignPredicate(mentionedBy text: String) -> ScenarioError {
    ScenarioError(kind: .foreignPredicate(mentionedBy: text))
  }
}

extension ScenarioError {
  /// The name of the pebble that is not in the model; `nil` if it is about a predicate.
  public var foreignPebble: String? {
    if case .foreignPebble(let pebble, _, _) = kind { pebble } else { nil }
  }

  /// The name of the pond which that pebble belongs to.
  public var foreignPond: String? {
    if case .foreignPebble(_, let pond, _) = kind { pond } else { nil }
  }

  /// The law or condition that mentions it.
  public var mentionedBy: String {
    switch kind {
    case .foreignPebble(_, _, let text), .foreignPredicate(let text): text
    }
  }
}

extension ScenarioError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch kind {
    case .foreignPebble(let name, let pond, let text):
      "\(text.singleLine.truncated(to: 200)) mentions \(name.swiftLiteral) of the pond "
        + "\(pond.swiftLiteral), which is not in the model; "
        + "use the pond's own pebbles, and make the model after them"
    case .foreignPredicate(let text):
      "\(text.singleLine.truncated(to: 200)) has a predicate that no pebble waits for, "
        + "of which nothing is known; use outcomes instead"
    }
  }
}
