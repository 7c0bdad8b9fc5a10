import Pebbles

extension Report {
  /// Whether the run kept a law.
  ///
  /// This is about one run, whatever happened in it; of all runs speaks `Scenarios.check(_:)`.
  ///
  /// - Parameter law: A law about the pebbles of this run.
  /// - Returns: Whether it is kept.
  /// - Throws: ``ScenarioError/foreignPebble(_:ofPond:mentionedBy:)``.
  /// - Complexity: O(size of the law), parts that are shared counted once.
  public func keeps(_ law: Law) throws(ScenarioError) -> Bool {
    try holds(law.condition, saidBy: law.label)
  }

  /// Whether a condition is true of how the pebbles of the run ended.
  ///
  /// - Parameter condition: A condition over pebbles of this run. Its predicates are called.
  /// - Returns: Whether it is true.
  /// - Throws: ``ScenarioError/foreignPebble(_:ofPond:mentionedBy:)``.
  /// - Complexity: O(size of the condition), parts that are shared counted once.
  public func holds(_ condition: Condition) throws(ScenarioError) -> Bool {
    try holds(condition, saidBy: condition.description)
  }

  private func holds(_ condition: Condition, saidBy text: String) throws(ScenarioError) -> Bool {
    // Parts that stand in several places are looked at once, and depth costs no stack.
    var known: [ObjectIdentifier: Bool] = [:]
    var pending: [Compound] = []
    if case .compound(let node) = condition.expression { pending.append(node) }
    while let node = pending.last {
      var operands: [Bool] = []
      let count = pending.count
      for operand in node.operands {
        if case .compound(let below) = operand.expression {
          if let value = known[ObjectIdentifier(below)] {
            operands.append(value)
          } else {
            pending.append(below)
          }
        } else {
          operands.append(try isTrue(leaf: operand, saidBy: text))
        }
      }
      guard pending.count == count else { continue }
      pending.removeLast()
      known[ObjectIdentifier(node)] = try value(of: node.operation, operands, saidBy: text)
    }
    guard case .compound(let node) = condition.expression else {
      return try isTrue(leaf: condition, saidBy: text)
    }
    return known[ObjectIdentifier(node)] == true
  }

  private func isTrue(leaf: Condition, saidBy text: String) throws(ScenarioError) -> Bool {
    switch leaf.expression {
    case .constant(let value): return value
    case .atom(let atom):
      try expectKnown(atom.pebble, saidBy: text)
      switch records[Int(atom.pebble.index)].outcome {
      case .succeeded: return atom.outcomes.contains(.succeeded)
      case .failed: return atom.outcomes.contains(.failed)
      case .skipped: return atom.outcomes.contains(.skipped)
      }
    case .compound: preconditionFailure("an operator is no leaf")
    }
  }

  private func value(
    of operation: Compound.Operation, _ operands: [Bool], saidBy text: String
  ) throws(ScenarioError) -> Bool {
    switch operation {
    case .all: return operands.allSatisfy(\.self)
    case .any: return operands.contains(true)
    case .not: return operands.first == false
    case .labeled: return operands.first == true
    case .predicate(let predicate):
      for pebble in predicate.reads { try expectKnown(pebble, saidBy: text) }
      return predicate.holds(storage)
    }
  }

  private func expectKnown(
    _ pebble: PebbleReference, saidBy text: String
  ) throws(ScenarioError) {
    let isKnown =
      pebble.definition === storage.pond.graph.definition
      && pebble.index < storage.pond.network.pebbleCount
    if isKnown { return }
    throw .foreignPebble(
      pebble.name, ofPond: pebble.definition.pondName, mentionedBy: text)
  }
}
