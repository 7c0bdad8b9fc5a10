/// What a gate computes over its operands.
package enum GateKind: UInt32, Sendable {
  /// AND: true once all operands are, false with the first false one; true when it has none.
  case all = 0
  /// OR: true with the first true operand, false once all are; false when it has none.
  case any = 1

  package var dual: GateKind { self == .all ? .any : .all }
}
