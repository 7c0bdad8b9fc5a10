import Pebbles

/// Conditions as functions of what happens: their values when the run is over, and every pebble
/// settled.
extension SymbolicRun {
  /// In which scenarios a condition is true in the end.
  ///
  /// - Parameter condition: A condition over pebbles of this pond.
  /// - Returns: Its function; `nil` if it mentions a pebble that the model does not have, or a
  ///   predicate that no pebble of the pond waits for.
  /// - Throws: `DiagramLimitReached` if it depends on a pebble that is unknown, or does not fit.
  package mutating func function(
    of condition: Condition
  ) throws(DiagramLimitReached) -> BooleanFunction? {
    // Sub-expressions that stand in several places are looked at once, and depth costs no stack.
    var known: [ObjectIdentifier: BooleanFunction] = [:]
    var pending: [Compound] = []
    if case .compound(let node) = condition.expression { pending.append(node) }
    while let node = pending.last {
      var operands: [BooleanFunction] = []
      var missing: [Compound] = []
      for operand in node.operands {
        if case .compound(let below) = operand.expression {
          if let function = known[ObjectIdentifier(below)] {
            operands.append(function)
          } else {
            missing.append(below)
          }
        } else {
          guard let function = try leaf(operand) else { return nil }
          operands.append(function)
        }
      }
      guard missing.isEmpty else {
        pending += missing
        continue
      }
      pending.removeLast()
      guard let function = try function(of: node.operation, operands) else { return nil }
      known[ObjectIdentifier(node)] = function
    }
    guard case .compound(let node) = condition.expression else { return try leaf(condition) }
    return known[ObjectIdentifier(node)]
  }

  private mutating func leaf(
    _ condition: Condition
  ) throws(DiagramLimitReached) -> BooleanFunction? {
    switch condition.expression {
    case .constant(let value): return BooleanFunction(value)
    case .atom(let atom):
      guard let position = model.position(of: atom.pebble) else { return nil }
      return try outcome(of: position, isIn: atom.outcomes)
    case .compound: return nil
    }
  }

  private mutating func function(
    of operation: Compound.Operation, _ operands: [BooleanFunction]
  ) throws(DiagramLimitReached) -> BooleanFunction? {
    switch operation {
    case .all: return try diagram.all(operands)
    case .any: return try diagram.any(operands)
    case .not: return operands.first.map(!)
    case .labeled: return operands.first
    case .predicate(let predicate):
      let number = model.pond.predicates.firstIndex { $0 === predicate }
      guard let number else { return nil }
      let row = model.pond.network.row(ofPredicate: number)
      guard let value = values[row] else { throw DiagramLimitReached() }
      return value.isTrue
    }
  }
}
