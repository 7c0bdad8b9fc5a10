extension PebbleCase {
  /// What a pebble did, as a clause without its subject: *failed as locked*, *succeeded with
  /// heads*, *timed out*.
  package var past: String {
    switch self {
    case .failed: "failed as \(shownName)"
    case .succeeded: "succeeded as \(shownName)"
    case .is: "succeeded with \(shownName)"
    case .timedOut: "timed out"
    }
  }

  /// What it is needed to do: "to …".
  package var infinitive: String {
    switch self {
    case .failed: "fail as \(shownName)"
    case .succeeded: "succeed as \(shownName)"
    case .is: "succeed with \(shownName)"
    case .timedOut: "time out"
    }
  }

  /// What it adds to the word for the outcome: *as locked*, *with heads*, *timed out*.
  package var caption: String {
    switch self {
    case .failed, .succeeded: "as \(shownName)"
    case .is: "with \(shownName)"
    case .timedOut: "timed out"
    }
  }

  /// In quotes, unless it is one word.
  private var shownName: String {
    let isWord =
      !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    return isWord ? name.truncated(to: 60) : name.truncated(to: 60).swiftLiteral
  }
}

extension [PebbleCase] {
  /// What a pebble did that ended like this, with these cases: *failed as locked and timed out*.
  package func past(or event: Event) -> String {
    guard let first else { return event.past }
    return ([first.past] + dropFirst().map(\.caption)).joined(separator: " and ")
  }
}

extension DecidingClause.Literal {
  /// What the pebble did that did as was needed; `nil` where how it ended says that.
  package var fulfilment: String? {
    guard let one = pebbleCase, outcomes.contains(.failed) else { return nil }
    return "did not \(one.infinitive)"
  }

  /// What the pebble is needed to do: "to …".
  package var infinitive: String {
    guard let one = pebbleCase else { return outcomes.infinitive }
    return outcomes.contains(.failed) ? "not \(one.infinitive)" : one.infinitive
  }
}
