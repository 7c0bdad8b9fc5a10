/// What a gate computes over its operands.
package enum GateKind: UInt32, Sendable, BitwiseCopyable {
  /// AND: true once all operands are, false with the first false one; true when it has none.
  case all = 0
  /// OR: true with the first true operand, false once all are; false when it has none.
  case any = 1

  /// Whether one operand was enough to give a gate this value: a true one of an OR, a false one of
  /// an AND.
  package func isDominated(by value: Bool) -> Bool { value == (self == .any) }

  package var dual: GateKind { self == .all ? .any : .all }
}
