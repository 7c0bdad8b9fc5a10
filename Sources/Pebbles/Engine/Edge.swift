/// One wire of the readiness network, packed into a word: where it leads, and what each event at
/// its source means there.
///
/// ```
/// bit  31 … 4   3       2        1       0
///      gate     kind    skipped  failed  succeeded
/// ```
///
/// The three low bits are the `OutcomeSet` of an atom: bit *e* is the truth value that event *e* of
/// the source brings. Inner gates are sources too; they use event 0 for true, 1 for false, and an
/// edge from one negates its value only where it is a case.
package struct Edge: Sendable, Hashable, BitwiseCopyable {
  package let word: UInt32

  /// The most gates a network can have.
  package static let mostGates = 1 << 28

  package init(to gate: Int, _ kind: GateKind, _ outcomes: OutcomeSet) {
    word = UInt32(truncatingIfNeeded: gate) << 4 | kind.rawValue << 3 | UInt32(outcomes.rawValue)
  }

  package var gate: Int { Int(word >> 4) }
  package var outcomes: OutcomeSet { OutcomeSet(rawValue: UInt8(word & 0b111)) }

  /// The truth value that `event` brings to the gate.
  func value(of event: Event) -> Bool { word >> event.rawValue & 1 == 1 }

  /// Whether `event` decides the gate at once: a false operand of an AND, a true one of an OR.
  func isDominant(_ event: Event) -> Bool { word >> event.rawValue & 1 == word >> 3 & 1 }
}
