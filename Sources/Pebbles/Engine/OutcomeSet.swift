/// A set of the ways a pebble can end: what one atom of a condition accepts.
///
/// An atom such as `launches.completed` is the pebble plus the set `{succeeded, failed}`. Negating
/// an atom is taking the complement, so negation never needs a node of its own at the leaves.
package struct OutcomeSet: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let succeeded = OutcomeSet(rawValue: 0b001)
  package static let failed = OutcomeSet(rawValue: 0b010)
  package static let skipped = OutcomeSet(rawValue: 0b100)
  package static let completed: OutcomeSet = [.succeeded, .failed]
  package static let settled: OutcomeSet = [.succeeded, .failed, .skipped]

  package var complement: OutcomeSet { OutcomeSet.settled.subtracting(self) }
}

/// What a set is called.
extension OutcomeSet {
  /// The atom that accepts these outcomes, as Swift source, given what stands for the pebble. A set
  /// that has no atom of its own has that of its complement, behind a `!`.
  package func atom(of pebble: String) -> String {
    let (atom, isNegated, _) = words
    return "\(isNegated ? "!" : "")\(pebble).\(atom)"
  }

  /// What is written at a line that waits for these outcomes; nothing for the ordinary one.
  var caption: String? {
    if self == .succeeded { return nil }
    let (atom, isNegated, _) = words
    return isEmpty ? "never" : isNegated ? "not \(atom)" : atom
  }

  /// The set as what a pebble is needed to do: "to …".
  package var infinitive: String { words.infinitive }

  private var words: (atom: String, isNegated: Bool, infinitive: String) {
    switch self {
    case .succeeded: ("succeeded", false, "succeed")
    case .failed: ("failed", false, "fail")
    case .skipped: ("skipped", false, "be skipped")
    case .completed: ("completed", false, "complete")
    case .settled: ("settled", false, "settle")
    case OutcomeSet.succeeded.complement: ("succeeded", true, "fail or be skipped")
    case OutcomeSet.failed.complement: ("failed", true, "succeed or be skipped")
    default: ("settled", true, "never settle")
    }
  }
}

extension OutcomeSet {
  /// The outcome that an event stands for.
  package init(_ event: Event) {
    self.init(rawValue: 1 << UInt8(event.rawValue))
  }

  /// Whether the outcome that an event stands for is one of these.
  package func accepts(_ event: Event) -> Bool { rawValue >> event.rawValue & 1 == 1 }
}
