/// One pebble together with the outcomes that make the atom true; or with one of its cases.
@usableFromInline
package struct Atom: Sendable, Hashable {
  @usableFromInline package let pebble: PebbleReference

  /// Of a case, the one outcome that it is a part of; of its negation, all others.
  @usableFromInline package let outcomes: OutcomeSet

  /// Where the case stands among those of the pebble, from 1 on; 0 for no case. One byte, so that a
  /// condition needs two words.
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

  /// Where the case stands among those of the pebble; `nil` for an atom of outcomes.
  package var casePlace: Int? { caseNumber == 0 ? nil : Int(caseNumber) - 1 }

  /// Whether this is the negation of a case: true with other outcomes, and without the case.
  package var isNegatedCase: Bool { caseNumber != 0 && outcomes.contains(.skipped) }

  /// The atom that is true where this one is false.
  package var complement: Atom {
    Atom(pebble: pebble, outcomes: outcomes.complement, caseNumber: caseNumber)
  }

  /// The same of another pebble that has the same cases.
  package func moved(to pebble: PebbleReference) -> Atom {
    Atom(pebble: pebble, outcomes: outcomes, caseNumber: caseNumber)
  }
}
