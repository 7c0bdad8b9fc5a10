import Pebbles

/// What a gate or a predicate is worth, in all scenarios at once: in which of them Kleene's tables
/// make it true, and in which false.
///
/// In the others it stays open, unless nothing but predicates that do not hold keep it open, and
/// those count as false in a stall: then it is *idle*. An idle gate is still undecided for others;
/// only a pebble whose own root is idle takes the value that is in there.
///
/// No two of the four are ever true in the same scenario.
package struct SymbolicValue: Sendable, Hashable {
  package internal(set) var isTrue = BooleanFunction.never
  package internal(set) var isFalse = BooleanFunction.never
  package internal(set) var isIdleTrue = BooleanFunction.never
  package internal(set) var isIdleFalse = BooleanFunction.never

  static let open = SymbolicValue()

  /// Whether it is decided in every scenario.
  var isTotal: Bool { isTrue == !isFalse }

  /// Whether it is never idle.
  var isNeverIdle: Bool { isIdleTrue == .never && isIdleFalse == .never }

  static func constant(_ value: Bool) -> SymbolicValue {
    SymbolicValue(isTrue: BooleanFunction(value), isFalse: BooleanFunction(!value))
  }

  static prefix func ! (value: SymbolicValue) -> SymbolicValue {
    SymbolicValue(
      isTrue: value.isFalse, isFalse: value.isTrue,
      isIdleTrue: value.isIdleFalse, isIdleFalse: value.isIdleTrue)
  }
}

/// How a pebble ends, in all scenarios at once: where it runs, and where it is skipped.
///
/// In every scenario it is exactly one of `succeeded`, `failed` and `skipped`; `stalled`,
/// `predicateNeverHeld` and `disabled` are parts of `skipped`, and the rest of that is because of
/// the condition.
package struct SymbolicPebble: Sendable, Hashable {
  package internal(set) var succeeded = BooleanFunction.never
  package internal(set) var failed = BooleanFunction.never
  package internal(set) var skipped = BooleanFunction.never

  /// Succeeded or failed.
  package internal(set) var ran = BooleanFunction.never

  package internal(set) var stalled = BooleanFunction.never
  package internal(set) var predicateNeverHeld = BooleanFunction.never
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
    if operands.allSatisfy(\.isNeverIdle) { return value }

    var holding: [BooleanFunction] = []
    var known: [BooleanFunction] = []
    for operand in operands {
      let isTrue = try or(operand.isTrue, operand.isIdleTrue)
      holding.append(isTrue)
      known.append(try or(isTrue, operand.isIdleFalse))
    }
    let isTrueInStall = try all(holding)
    value.isIdleTrue = try and(isTrueInStall, !value.isTrue)
    value.isIdleFalse = try and(all(known), !isTrueInStall)
    return value
  }

  /// Where the value is neither decided nor idle.
  mutating func openness(
    of value: SymbolicValue
  ) throws(DiagramLimitReached) -> BooleanFunction {
    if value.isTotal { return .never }
    return !(try any([value.isTrue, value.isFalse, value.isIdleTrue, value.isIdleFalse]))
  }
}
