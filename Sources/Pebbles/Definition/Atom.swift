/// The smallest kind of condition. It states that a pebble has one of a set of outcomes, or that a
/// case of the pebble holds or does not hold.
@usableFromInline
package struct Atom: Sendable, Hashable {
  @usableFromInline package let pebble: PebbleReference

  /// The outcomes that make the atom true. If the atom states that a case holds, the set contains
  /// only the outcome to which the case belongs. If the atom states that a case does not hold, the
  /// set contains all other outcomes.
  @usableFromInline package let outcomes: OutcomeSet

  /// The position of the case among the cases of the pebble, starting at 1; 0 if the atom has no
  /// case. It is stored in one byte, so that an atom needs only two words.
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

  /// The zero-based position of the case among the cases of the pebble; `nil` if the atom has no
  /// case.
  package var casePlace: Int? { caseNumber == 0 ? nil : Int(caseNumber) - 1 }

  /// Whether the atom negates a case. Such an atom is true if the case does not hold, or if the
  /// pebble has an outcome to which the case does not belong.
  package var isNegatedCase: Bool { caseNumber != 0 && outcomes.contains(.skipped) }

  /// The negation of the atom.
  package var complement: Atom {
    Atom(pebble: pebble, outcomes: outcomes.complement, caseNumber: caseNumber)
  }

  /// Returns the same atom for another pebble, which must have the same cases.
  package func moved(to pebble: PebbleReference) -> Atom {
    Atom(pebble: pebble, outcomes: outcomes, caseNumber: caseNumber)
  }

  /// Returns an atom for another pebble, with a case number that is too large for any case. A
  /// condition that mentions an unknown case therefore remains a fault after it is copied.
  func movedWithoutCase(to pebble: PebbleReference) -> Atom {
    Atom(pebble: pebble, outcomes: outcomes, caseNumber: .max)
  }
}
