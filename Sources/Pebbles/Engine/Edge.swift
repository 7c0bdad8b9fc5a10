/// An edge of the readiness network, packed into one word.
///
/// The word contains the target gate, the kind of that gate, and the truth value that the gate
/// receives for each event of the source.
///
/// ```
/// bit  31 … 4   3       2        1       0
///      gate     kind    skipped  failed  succeeded
/// ```
///
/// The three lowest bits are an atom's `OutcomeSet`. Bit *e* is the value that the gate receives
/// for event *e*. An inner gate can be a source as well: its event 0 stands for true, and its event
/// 1 for false. Among the edges from inner gates, only an edge from a case can negate the value.
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
  /// The AND of the operands: true once all operands are true, and false once one of them is false.
  /// Without operands, it is true.
  case all = 0
  /// The OR of the operands: true once one operand is true, and false once all of them are false.
  /// Without operands, it is false.
  case any = 1

  /// Returns whether one operand alone suffices to give a gate of this kind the given value. One
  /// true operand makes an OR true, and one false operand makes an AND false.
  package func isDominated(by value: Bool) -> Bool { value == (self == .any) }

  package var dual: GateKind { self == .all ? .any : .all }
}

/// An event at a source of the network. Each source has at most one event.
package enum Event: UInt32, CaseIterable, Sendable {
  case succeeded = 0
  case failed = 1
  case skipped = 2

  /// Creates the event that represents the value of a gate: `succeeded` for true, and `failed` for
  /// false.
  package init(_ value: Bool) {
    self = value ? .succeeded : .failed
  }
}
