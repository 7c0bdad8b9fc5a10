import Pebbles

/// The value of a gate in all scenarios at once: the scenarios where Kleene's tables make it true,
/// and those where they make it false. No scenario is in both sets. In all other scenarios, the
/// value is undecided.
package struct SymbolicValue: Sendable, Hashable {
  package internal(set) var isTrue = BooleanFunction.never
  package internal(set) var isFalse = BooleanFunction.never

  static let open = SymbolicValue()

  /// Whether the value is decided in every scenario.
  var isTotal: Bool { isTrue == !isFalse }

  static func constant(_ value: Bool) -> SymbolicValue {
    SymbolicValue(isTrue: BooleanFunction(value), isFalse: BooleanFunction(!value))
  }

  static prefix func ! (value: SymbolicValue) -> SymbolicValue {
    SymbolicValue(isTrue: value.isFalse, isFalse: value.isTrue)
  }
}

/// The outcome of a pebble in all scenarios at once: the scenarios where it runs, and those where
/// it is skipped.
///
/// Once the pebble has settled, exactly one of `succeeded`, `failed` and `skipped` is true in each
/// scenario. `stalled` and `disabled` are parts of `skipped`; the reason for any other skip is the
/// condition or a cancellation.
package struct SymbolicPebble: Sendable, Hashable {
  package internal(set) var succeeded = BooleanFunction.never
  package internal(set) var failed = BooleanFunction.never
  package internal(set) var skipped = BooleanFunction.never

  /// The scenarios where the pebble succeeds or fails.
  package internal(set) var ran = BooleanFunction.never

  package internal(set) var stalled = BooleanFunction.never
  package internal(set) var disabled = BooleanFunction.never
}

extension Diagram {
  /// Returns the value of a gate with any number of operands, according to Kleene's tables.
  mutating func value(
    ofGate kind: GateKind, _ operands: [SymbolicValue]
  ) throws(DiagramLimitReached) -> SymbolicValue {
    if operands.count == 1 { return operands[0] }
    // An OR is an AND with true and false exchanged.
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

  /// Returns the scenarios where the value is undecided.
  mutating func openness(
    of value: SymbolicValue
  ) throws(DiagramLimitReached) -> BooleanFunction {
    if value.isTotal { return .never }
    return !(try or(value.isTrue, value.isFalse))
  }
}
