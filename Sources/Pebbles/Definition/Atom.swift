/// The smallest condition, which states that a pebble has one of certain outcomes, or that one of
/// its cases holds or does not hold.
@usableFromInline
package struct Atom: Sendable, Hashable {
  @usableFromInline package let pebble: PebbleReference

  /// The outcomes that make the atom true. For a case, the one outcome that the case belongs to;
  /// for a negated case, all other outcomes.
  @usableFromInline package let outcomes: OutcomeSet

  /// The position of the case among the cases of the pebble, starting at 1; 0 if there is no case.
  /// It is stored in one byte, so that a condition needs only two words.
  @usableFromInline let caseNumber: UInt8

  @inlinable
  package init(pebble: PebbleReference, outcomes: OutcomeSet) {
    self.pebble = pebble
    self.outcomes = outcomes
    caseNumber = 0
  }

  package init(pebble: PebbleReference, case place: Int, of one: PebbleCase) {
    self.init(pebble: pebble, outcomes: one.outcomes, caseNumber: UInt8(place + 1))
  }

  private init(pebble: PebbleReference, outcomes: OutcomeSet, caseNumber: UInt8) {
    self.pebble = pebble
    self.outcomes = outcomes
    self.caseNumber = caseNumber
  }

  /// The zero-based position of the case among the cases of the pebble; `nil` for an atom of
  /// outcomes.
  package var casePlace: Int? { caseNumber == 0 ? nil : Int(caseNumber) - 1 }

  /// Whether the atom negates a case: it is true if the pebble has another outcome, or the same
  /// outcome without the case.
  package var isNegatedCase: Bool { caseNumber != 0 && outcomes.contains(.skipped) }

  /// The negation of the atom.
  package var complement: Atom {
    Atom(pebble: pebble, outcomes: outcomes.complement, caseNumber: caseNumber)
  }

  /// Returns the same atom for another pebble, which must have the same cases.
  package func moved(to pebble: PebbleReference) -> Atom {
    Atom(pebble: pebble, outcomes: outcomes, caseNumber: caseNumber)
  }
}
