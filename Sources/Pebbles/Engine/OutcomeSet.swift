/// A set of outcomes, such as the outcomes that make one atom of a condition true.
///
/// An atom like `launches.completed` consists of a pebble and the set `{succeeded, failed}`. The
/// negation of an atom is an atom with the complement of the set, so a NOT node is never needed.
@usableFromInline
package struct OutcomeSet: OptionSet, Hashable, Sendable {
  @usableFromInline package let rawValue: UInt8

  @inlinable
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  @inlinable package static var succeeded: OutcomeSet { OutcomeSet(rawValue: 0b001) }
  @inlinable package static var failed: OutcomeSet { OutcomeSet(rawValue: 0b010) }
  @inlinable package static var skipped: OutcomeSet { OutcomeSet(rawValue: 0b100) }
  @inlinable package static var completed: OutcomeSet { OutcomeSet(rawValue: 0b011) }
  @inlinable package static var settled: OutcomeSet { OutcomeSet(rawValue: 0b111) }

  package var complement: OutcomeSet { OutcomeSet.settled.subtracting(self) }
}

extension OutcomeSet {
  /// Creates a set that contains only the outcome that an event represents.
  package init(_ event: Event) {
    self.init(rawValue: 1 << UInt8(event.rawValue))
  }

  /// Returns whether the set contains the outcome that an event represents.
  package func accepts(_ event: Event) -> Bool { rawValue >> event.rawValue & 1 == 1 }
}

/// Descriptions of a set of outcomes.
extension OutcomeSet {
  /// Returns the Swift source of the atom that accepts these outcomes, given the source of the
  /// pebble. If no atom accepts exactly these outcomes, returns the negated atom of the complement.
  package func atom(of pebble: String) -> String {
    let (atom, isNegated, _) = words
    return "\(isNegated ? "!" : "")\(pebble).\(atom)"
  }

  /// The caption of an edge that represents these outcomes; `nil` for success.
  var caption: String? {
    if self == .succeeded { return nil }
    let (atom, isNegated, _) = words
    return isEmpty ? "never" : isNegated ? "not \(atom)" : atom
  }

  /// The outcomes in the infinitive, worded to follow "to": *succeed*, *fail or be skipped*.
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
