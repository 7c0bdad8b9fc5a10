/// One edge of the readiness network, packed into a word: the gate it leads to, and the truth value
/// that each event at its source has there.
///
/// ```
/// bit  31 … 4   3       2        1       0
///      gate     kind    skipped  failed  succeeded
/// ```
///
/// The three low bits are the `OutcomeSet` of an atom: bit *e* is the truth value that event *e* of
/// the source brings. Inner gates are sources too. They use event 0 for true and event 1 for false;
/// an edge from an inner gate negates its value only if the gate is a case.
package struct Edge: Sendable, Hashable, BitwiseCopyable {
  package let word: UInt32

  /// The maximum number of gates in a network.
  package static let mostGates = 1 << 28

  package init(to gate: Int, _ kind: GateKind, _ outcomes: OutcomeSet) {
    word = UInt32(truncatingIfNeeded: gate) << 4 | kind.rawValue << 3 | UInt32(outcomes.rawValue)
  }

  package var gate: Int { Int(word >> 4) }
  package var outcomes: OutcomeSet { OutcomeSet(rawValue: UInt8(word & 0b111)) }

  /// Returns the truth value that `event` brings to the gate.
  func value(of event: Event) -> Bool { word >> event.rawValue & 1 == 1 }

  /// Returns whether `event` decides the gate immediately: a false operand of an AND, or a true
  /// operand of an OR.
  func isDominant(_ event: Event) -> Bool { word >> event.rawValue & 1 == word >> 3 & 1 }
}
