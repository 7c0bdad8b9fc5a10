import Pebbles

extension RunStorage {
  /// Whether a condition is true of how pebbles have ended so far, by Kleene's tables; `nil` as
  /// long as that is not decided. A predicate is decided once all it reads have settled.
  ///
  /// As outcomes never change, what is decided stays so. Once all pebbles have settled, all is.
  ///
  /// - Parameters:
  ///   - condition: A condition over pebbles of this run. Its predicates are called.
  ///   - text: What says so, for the error.
  /// - Returns: Whether it is true, if that is decided.
  /// - Throws: `UnknownPebbleError`.
  /// - Complexity: O(size of the condition), parts that are shared counted once.
  package func value(
    of condition: Condition, saidBy text: String
  ) throws(UnknownPebbleError) -> Bool? {
    // Parts that stand in several places are looked at once, and depth costs no stack.
    var known: [ObjectIdentifier: Bool?] = [:]
    var pending: [Compound] = []
    if case .compound(let node) = condition.expression { pending.append(node) }
    while let node = pending.last {
      var operands: [Bool?] = []
      let count = pending.count
      for operand in node.operands {
        if case .compound(let below) = operand.expression {
          if let value = known[ObjectIdentifier(below)] {
            operands.append(value)
          } else {
            pending.append(below)
          }
        } else {
          operands.append(try value(ofLeaf: operand, saidBy: text))
        }
      }
      guard pending.count == count else { continue }
      pending.removeLast()
      let value = try value(of: node.operation, operands, saidBy: text)
      known.updateValue(value, forKey: ObjectIdentifier(node))
    }
    guard case .compound(let node) = condition.expression else {
      return try value(ofLeaf: condition, saidBy: text)
    }
    return known[ObjectIdentifier(node)] ?? nil
  }

  private func value(
    ofLeaf leaf: Condition, saidBy text: String
  ) throws(UnknownPebbleError) -> Bool? {
    switch leaf.expression {
    case .constant(let value): return value
    case .atom(let atom):
      switch try status(of: atom.pebble, saidBy: text).event {
      case nil: return nil
      case .succeeded: return atom.outcomes.contains(.succeeded)
      case .failed: return atom.outcomes.contains(.failed)
      case .skipped: return atom.outcomes.contains(.skipped)
      }
    case .compound: preconditionFailure("an operator is no leaf")
    }
  }

  private func value(
    of operation: Compound.Operation, _ operands: [Bool?], saidBy text: String
  ) throws(UnknownPebbleError) -> Bool? {
    switch operation {
    case .all: return operands.contains(false) ? false : operands.contains(nil) ? nil : true
    case .any: return operands.contains(true) ? true : operands.contains(nil) ? nil : false
    case .not: return operands[0].map { !$0 }
    case .labeled: return operands[0]
    case .predicate(let predicate):
      var isDecided = true
      for pebble in predicate.reads where try !status(of: pebble, saidBy: text).isSettled {
        isDecided = false
      }
      return isDecided ? predicate.holds(values) : nil
    }
  }

  private func status(
    of pebble: PebbleReference, saidBy text: String
  ) throws(UnknownPebbleError) -> PebbleStatus {
    guard let position = pond.graph.position(of: pebble) else {
      throw pond.graph.error(for: pebble, mentionedBy: text)
    }
    return state.status(of: position)
  }
}
