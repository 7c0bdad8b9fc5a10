/// An edge of the readiness network, packed into one word: the gate that it leads to, the kind of
/// that gate, and the truth value that the gate receives for each event of the source.
///
/// ```
/// bit  31 … 4   3       2        1       0
///      gate     kind    skipped  failed  succeeded
/// ```
///
/// The three low bits are the `OutcomeSet` of an atom. Bit *e* is the value that the gate receives
/// for event *e*. Inner gates can be sources too: event 0 stands for true, event 1 for false. An
/// edge from an inner gate negates the value only if that inner gate is a case.
package struct Edge: Sendable, Hashable, BitwiseCopyable {
  package let word: UInt32

  /// The maximum number of gates in a network.
  package static let mostGates = 1 << 28

  package init(to gate: Int, _ kind: GateKind, _ outcomes: OutcomeSet) {
    word = UInt32(truncatingIfNeeded: gate) << 4 | kind.rawValue << 3 | UInt32(outcomes.rawValue)
  }

  package var gate: Int { Int(word >> 4) }
  package var outcomes: OutcomeSet { OutcomeSet(rawValue: UInt8(word & 0b111)) }

  /// Returns the truth value that the gate receives for `event`.
  func value(of event: Event) -> Bool { word >> event.rawValue & 1 == 1 }

  /// Returns whether `event` alone decides the gate: it makes an operand of an AND false, or an
  /// operand of an OR true.
  func isDominant(_ event: Event) -> Bool { word >> event.rawValue & 1 == word >> 3 & 1 }
}

/// The function that a gate computes over its operands.
package enum GateKind: UInt32, Sendable, BitwiseCopyable {
  /// AND: true once all operands are true, false once one is false; true if there are no operands.
  case all = 0
  /// OR: true once one operand is true, false once all are false; false if there are no operands.
  case any = 1

  /// Returns whether a single operand suffices to give a gate this value: a true one for an OR, a
  /// false one for an AND.
  package func isDominated(by value: Bool) -> Bool { value == (self == .any) }

  package var dual: GateKind { self == .all ? .any : .all }
}

/// An event that happens at most once at a source of the network.
package enum Event: UInt32, CaseIterable, Sendable {
  case succeeded = 0
  case failed = 1
  case skipped = 2

  /// Creates the event with which a gate reports its value: `succeeded` for true, `failed` for
  /// false.
  package init(_ value: Bool) {
    self = value ? .succeeded : .failed
  }
}
