import Pebbles

/// Writes the conditions of a pond as one table, in which operands stand before their operators.
///
/// However deep a condition is, the document is not, and what conditions share is written once.
struct ConditionTableWriter {
  private var numbers: [ObjectIdentifier: Int] = [:]

  // Nodes are told apart by identity, so all of them have to stay.
  private var nodes: [Compound] = []

  /// Takes the operators of a condition into the table.
  ///
  /// - Complexity: O(operands) of the operators that are new.
  mutating func add(_ condition: Condition) {
    guard case .compound(let root) = condition.expression else { return }
    var pending = [root]
    while let node = pending.last {
      let count = pending.count
      if numbers[ObjectIdentifier(node)] == nil {
        for operand in node.operands.reversed() {
          guard case .compound(let below) = operand.expression else { continue }
          if numbers[ObjectIdentifier(below)] == nil { pending.append(below) }
        }
        guard pending.count == count else { continue }
        numbers[ObjectIdentifier(node)] = nodes.count
        nodes.append(node)
      }
      pending.removeLast()
    }
  }

  /// Writes the table: a list.
  func write(to writer: inout JSONWriter) {
    writer.beginList(inLines: true)
    for node in nodes {
      writer.beginObject()
      switch node.operation {
      case .all: write(node.operands, as: "all", to: &writer)
      case .any: write(node.operands, as: "any", to: &writer)
      case .not:
        writer.key("not")
        for operand in node.operands { write(operand, to: &writer) }
      case .labeled(let label):
        writer.key("label")
        writer.value(label)
        writer.key("of")
        for operand in node.operands { write(operand, to: &writer) }
      case .predicate(let predicate):
        writer.key("predicate")
        writer.beginObject()
        writer.key("reads")
        writer.beginList()
        for pebble in predicate.reads { writer.value(pebble.index) }
        writer.end()
        writer.end()
      }
      writer.end()
    }
    writer.end()
  }

  private func write(
    _ operands: [Condition], as key: String, to writer: inout JSONWriter
  ) {
    writer.key(key)
    writer.beginList()
    for operand in operands { write(operand, to: &writer) }
    writer.end()
  }

  /// Writes a condition of which the table has the operators.
  func write(_ condition: Condition, to writer: inout JSONWriter) {
    switch condition.expression {
    case .constant(let value):
      writer.value(value)
    case .atom(let atom):
      writer.beginObject()
      writer.key("pebble")
      writer.value(atom.pebble.index)
      writer.key("is")
      writer.beginList()
      for (word, outcome) in OutcomeSet.words where atom.outcomes.contains(outcome) {
        writer.value(word)
      }
      writer.end()
      writer.end()
    case .compound(let node):
      guard let number = numbers[ObjectIdentifier(node)] else {
        preconditionFailure("a condition is written that is not in the table")
      }
      writer.value(number)
    }
  }
}

extension OutcomeSet {
  /// What the ways a pebble can end are called in documents.
  static let words: [(word: String, outcome: OutcomeSet)] = [
    ("succeeded", .succeeded), ("failed", .failed), ("skipped", .skipped),
  ]
}
