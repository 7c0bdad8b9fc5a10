import Pebbles

/// The values of conditions at the end of a run, when every pebble has settled. Each value is a
/// function of the scenario.
extension SymbolicRun {
  /// Returns the scenarios where a condition is true at the end of the run.
  ///
  /// - Parameter condition: A condition about pebbles of this pond.
  /// - Returns: The function of the condition; `nil` if the condition mentions a pebble, or a case,
  ///   that the model does not have.
  /// - Throws: `DiagramLimitReached` if the condition depends on an unknown pebble, or its function
  ///   does not fit into the diagram.
  package mutating func function(
    of condition: Condition
  ) throws(DiagramLimitReached) -> BooleanFunction? {
    let condition = condition.tree
    var known: [ObjectIdentifier: BooleanFunction?] = [:]
    func part(
      _ part: Condition, _ run: inout SymbolicRun
    ) throws(DiagramLimitReached) -> BooleanFunction? {
      guard case .compound(let node) = part.expression else { return try run.leaf(part) }
      return known[ObjectIdentifier(node)] ?? nil
    }
    try condition.forEachCompound(unless: { known[ObjectIdentifier($0)] != nil }) {
      node throws(DiagramLimitReached) in
      var operands: [BooleanFunction] = []
      var isKnown = true
      for operand in node.operands {
        if let function = try part(operand, &self) {
          operands.append(function)
        } else {
          isKnown = false
        }
      }
      known.updateValue(
        isKnown ? try function(of: node.operation, operands) : nil, forKey: ObjectIdentifier(node))
    }
    return try part(condition, &self)
  }

  private mutating func leaf(
    _ condition: Condition
  ) throws(DiagramLimitReached) -> BooleanFunction? {
    switch condition.expression {
    case .constant(let value): return BooleanFunction(value)
    case .atom(let atom):
      guard let position = model.position(of: atom.pebble) else { return nil }
      guard let place = atom.casePlace else {
        return try outcome(of: position, isIn: atom.outcomes)
      }
      let rows = model.pond.network.cases.rows(of: position)
      guard place < rows.count else { return nil }
      let value = try value(ofCase: rows.lowerBound + place)
      return atom.isNegatedCase ? !value.isTrue : value.isTrue
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
    }
  }
}
