import Pebbles

extension Report {
  /// Returns whether the run kept a law.
  ///
  /// This method checks one run. To check all possible runs, use `Scenarios.check(_:)`.
  ///
  /// - Parameter law: A law about the pebbles of this run.
  /// - Returns: Whether the law is kept.
  /// - Throws: `UnknownPebbleError` if the law mentions a pebble, or a case, that the run did not
  ///   have.
  /// - Complexity: O(size of the law), with shared parts counted once.
  public func keeps(_ law: Law) throws(UnknownPebbleError) -> Bool {
    try storage.value(of: law.condition, saidBy: law.label) == true
  }

  /// Returns whether a condition is true for the outcomes in this run.
  ///
  /// - Parameter condition: A condition about pebbles of this run.
  /// - Returns: Whether the condition is true.
  /// - Throws: `UnknownPebbleError` if the condition mentions a pebble, or a case, that the run did
  ///   not have.
  /// - Complexity: O(size of the condition), with shared parts counted once.
  public func holds(_ condition: Condition) throws(UnknownPebbleError) -> Bool {
    try storage.value(of: condition, saidBy: condition.description) == true
  }
}

extension RunStorage {
  /// Returns whether a condition is true for the outcomes so far, according to Kleene's tables;
  /// `nil` while the condition is undecided.
  ///
  /// Outcomes never change, so a decided condition stays decided. Once all pebbles have settled,
  /// every condition is decided.
  ///
  /// - Parameters:
  ///   - condition: A condition about pebbles of this run.
  ///   - text: The string in which the condition occurs, to be quoted in an error.
  /// - Returns: Whether the condition is true; `nil` if it is undecided.
  /// - Throws: `UnknownPebbleError` if the condition mentions a pebble, or a case, that the run did
  ///   not have.
  /// - Complexity: O(size of the condition), with shared parts counted once.
  package func value(
    of condition: Condition, saidBy text: @autoclosure () -> String
  ) throws(UnknownPebbleError) -> Bool? {
    let condition = condition.tree
    var known: [ObjectIdentifier: Bool?] = [:]
    func part(_ part: Condition) throws(UnknownPebbleError) -> Bool? {
      guard case .compound(let node) = part.expression else {
        return try value(ofLeaf: part, saidBy: text())
      }
      return known[ObjectIdentifier(node)] ?? nil
    }
    try condition.forEachCompound(unless: { known[ObjectIdentifier($0)] != nil }) {
      node throws(UnknownPebbleError) in
      var operands: [Bool?] = []
      for operand in node.operands { operands.append(try part(operand)) }
      let value = value(of: node.operation, operands)
      known.updateValue(value, forKey: ObjectIdentifier(node))
    }
    return try part(condition)
  }

  private func value(
    ofLeaf leaf: Condition, saidBy text: @autoclosure () -> String
  ) throws(UnknownPebbleError) -> Bool? {
    switch leaf.expression {
    case .constant(let value): return value
    case .atom(let atom):
      let position = try position(of: atom.pebble, saidBy: text())
      guard let place = atom.casePlace else {
        return state.status(of: position).event.map(atom.outcomes.accepts)
      }
      let rows = state.network.cases.rows(of: position)
      guard place < rows.count else { throw pond.graph.error(forCaseIn: text()) }
      return state.value(ofGate: rows.lowerBound + place).map { $0 != atom.isNegatedCase }
    case .compound: preconditionFailure("an operator is no leaf")
    }
  }

  private func value(of operation: Compound.Operation, _ operands: [Bool?]) -> Bool? {
    switch operation {
    case .all: return operands.contains(false) ? false : operands.contains(nil) ? nil : true
    case .any: return operands.contains(true) ? true : operands.contains(nil) ? nil : false
    case .not: return operands[0].map { !$0 }
    case .labeled: return operands[0]
    }
  }

  private func position(
    of pebble: PebbleReference, saidBy text: @autoclosure () -> String
  ) throws(UnknownPebbleError) -> Int {
    guard let position = pond.graph.position(of: pebble) else {
      throw pond.graph.error(for: pebble, mentionedBy: text())
    }
    return position
  }
}
