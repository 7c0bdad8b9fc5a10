extension PebbleCase {
  /// The case in the past tense, worded to follow the name of a pebble: *failed as locked*,
  /// *succeeded with heads*, *timed out*.
  package var past: String {
    switch self {
    case .failed: "failed as \(shownName)"
    case .succeeded: "succeeded as \(shownName)"
    case .is: "succeeded with \(shownName)"
    case .timedOut: "timed out"
    }
  }

  /// The case in the infinitive, worded to follow "to" or "did not": *fail as locked*, *time out*.
  package var infinitive: String {
    switch self {
    case .failed: "fail as \(shownName)"
    case .succeeded: "succeed as \(shownName)"
    case .is: "succeed with \(shownName)"
    case .timedOut: "time out"
    }
  }

  /// The case, worded to follow another case or to stand alone: *as locked*, *with heads*, *timed
  /// out*.
  package var caption: String {
    switch self {
    case .failed, .succeeded: "as \(shownName)"
    case .is: "with \(shownName)"
    case .timedOut: "timed out"
    }
  }

  /// The name, truncated to 60 characters, and quoted unless it is a single word.
  private var shownName: String {
    let isWord =
      !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    return isWord ? name.truncated(to: 60) : name.shortLiteral
  }
}

extension [PebbleCase] {
  /// Returns these cases in the past tense, worded to follow the name of a pebble: *succeeded as
  /// long and with heads*. If there are no cases, returns `event` in the past tense.
  package func past(or event: Event) -> String {
    guard let first else { return event.past }
    return ([first.past] + dropFirst().map(\.caption)).joined(separator: " and ")
  }
}

extension DecidingClause.Literal {
  /// The literal in the past tense, worded to follow the name of a pebble, such as
  /// *did not fail as locked*; `nil` unless the literal negates a case.
  package var fulfilment: String? {
    guard let one = pebbleCase, outcomes.contains(.failed) else { return nil }
    return "did not \(one.infinitive)"
  }

  /// The literal in the infinitive, worded to follow "to": *succeed*, *not fail as locked*.
  package var infinitive: String {
    guard let one = pebbleCase else { return outcomes.infinitive }
    return outcomes.contains(.failed) ? "not \(one.infinitive)" : one.infinitive
  }
}
