extension PebbleCase {
  /// The case as a clause in the past tense without its subject: *failed as locked*, *succeeded
  /// with heads*, *timed out*.
  package var past: String {
    switch self {
    case .failed: "failed as \(shownName)"
    case .succeeded: "succeeded as \(shownName)"
    case .is: "succeeded with \(shownName)"
    case .timedOut: "timed out"
    }
  }

  /// The case as an infinitive without "to": *fail as locked*, *time out*.
  package var infinitive: String {
    switch self {
    case .failed: "fail as \(shownName)"
    case .succeeded: "succeed as \(shownName)"
    case .is: "succeed with \(shownName)"
    case .timedOut: "time out"
    }
  }

  /// The words for the case, to follow the word for the outcome: *as locked*, *with heads*, *timed
  /// out*.
  package var caption: String {
    switch self {
    case .failed, .succeeded: "as \(shownName)"
    case .is: "with \(shownName)"
    case .timedOut: "timed out"
    }
  }

  /// The name, in quotes unless it is one word.
  private var shownName: String {
    let isWord =
      !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    return isWord ? name.truncated(to: 60) : name.truncated(to: 60).swiftLiteral
  }
}

extension [PebbleCase] {
  /// Returns the clause for a pebble that ended with these cases: *failed as locked and timed out*.
  /// If there are none, returns the clause for `event`.
  package func past(or event: Event) -> String {
    guard let first else { return event.past }
    return ([first.past] + dropFirst().map(\.caption)).joined(separator: " and ")
  }
}

extension DecidingClause.Literal {
  /// The clause for a pebble that fulfilled the literal, "did not …"; `nil` unless the literal is a
  /// negated case.
  package var fulfilment: String? {
    guard let one = pebbleCase, outcomes.contains(.failed) else { return nil }
    return "did not \(one.infinitive)"
  }

  /// The literal as an infinitive without "to": *succeed*, *not fail as locked*.
  package var infinitive: String {
    guard let one = pebbleCase else { return outcomes.infinitive }
    return outcomes.contains(.failed) ? "not \(one.infinitive)" : one.infinitive
  }
}
