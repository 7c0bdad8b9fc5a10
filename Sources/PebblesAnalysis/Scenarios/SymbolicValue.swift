import Pebbles

/// What a gate is worth, in all scenarios at once: in which of them Kleene's tables make it true,
/// and in which false; in no scenario both. In the others it stays open.
package struct SymbolicValue: Sendable, Hashable {
  package internal(set) var isTrue = BooleanFunction.never
  package internal(set) var isFalse = BooleanFunction.never

  static let open = SymbolicValue()

  /// Whether it is decided in every scenario.
  var isTotal: Bool { isTrue == !isFalse }

  static func constant(_ value: Bool) -> SymbolicValue {
    SymbolicValue(isTrue: BooleanFunction(value), isFalse: BooleanFunction(!value))
  }

  static prefix func ! (value: SymbolicValue) -> SymbolicValue {
    SymbolicValue(isTrue: value.isFalse, isFalse: value.isTrue)
  }
}

/// How a pebble ends, in all scenarios at once: where it runs, and where it is skipped.
///
/// In every scenario it is exactly one of `succeeded`, `failed` and `skipped`; `stalled` and
/// `disabled` are parts of `skipped`, and the rest of that is because of the condition.
package struct SymbolicPebble: Sendable, Hashable {
  package internal(set) var succeeded = BooleanFunction.never
  package internal(set) var failed = BooleanFunction.never
  package internal(set) var skipped = BooleanFunction.never

  /// Succeeded or failed.
  package internal(set) var ran = BooleanFunction.never

  package internal(set) var stalled = BooleanFunction.never
  package internal(set) var disabled = BooleanFunction.never
}

extension Diagram {
  /// Kleene's tables, for any number of operands.
  mutating func value(
    ofGate kind: GateKind, _ operands: [SymbolicValue]
  ) throws(DiagramLimitReached) -> SymbolicValue {
    if operands.count == 1 { return operands[0] }
    // An OR is what an AND is with true and false exchanged.
    return kind == .all ? try conjunction(operands) : !(try conjunction(operands.map(!)))
  }

  private mutating func conjunction(
    _ operands: [SymbolicValue]
  ) throws(DiagramLimitReached) -> SymbolicValue {
    var value = SymbolicValue()
    value.isTrue = try all(operands.map(\.isTrue))
    if operands.allSatisfy(\.isTotal) {
      value.isFalse = !value.isTrue
      return value
    }
    value.isFalse = try any(operands.map(\.isFalse))
    return value
  }

  /// Where the value is not decided.
  mutating func openness(
    of value: SymbolicValue
  ) throws(DiagramLimitReached) -> BooleanFunction {
    if value.isTotal { return .never }
    return !(try or(value.isTrue, value.isFalse))
  }
}
