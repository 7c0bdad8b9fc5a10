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
