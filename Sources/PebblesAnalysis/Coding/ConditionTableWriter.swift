import Pebbles

/// A writer that stores all conditions of a pond in one table. Operands precede the operators that
/// use them.
///
/// The document stays flat even if conditions are deeply nested. Parts shared by several conditions
/// are written only once.
struct ConditionTableWriter: JSONWritable {
  private var numbers: [ObjectIdentifier: Int] = [:]

  // Nodes are identified by their addresses, so all of them must stay alive.
  private var nodes: [Compound] = []

  /// Adds the operators of a condition to the table, except those that the table already contains.
  ///
  /// - Complexity: O(*n*), where *n* is the total number of operands of the added operators.
  mutating func add(_ condition: Condition) {
    condition.forEachCompound(unless: { numbers[ObjectIdentifier($0)] != nil }) { node in
      numbers[ObjectIdentifier(node)] = nodes.count
      nodes.append(node)
    }
  }

  /// Writes the table as a list.
  func write(to writer: inout JSONWriter) {
    writer.list(inLines: true) { writer in
      for node in nodes { writer.object { write(node, to: &$0) } }
    }
  }

  private func write(_ node: Compound, to writer: inout JSONWriter) {
    let operands = node.operands.map(operand)
    switch node.operation {
    case .all: writer.member("all", operands)
    case .any: writer.member("any", operands)
    case .not: writer.member("not", operands.first)
    case .labeled(let label):
      writer.member("label", label)
      writer.member("of", operands.first)
    }
  }

  /// Returns the written form of a condition. The operators of the condition must be in the table.
  func operand(_ condition: Condition) -> Operand {
    switch condition.expression {
    case .constant(let value): return .constant(value)
    case .atom(let atom): return .atom(atom)
    case .compound(let node):
      guard let number = numbers[ObjectIdentifier(node)] else {
        preconditionFailure("a condition is written that is not in the table")
      }
      return .place(number)
    }
  }

  enum Operand: JSONWritable {
    case constant(Bool)
    case atom(Atom)
    case place(Int)

    func write(to writer: inout JSONWriter) {
      switch self {
      case .constant(let value): writer.value(value)
      case .atom(let atom):
        writer.object { writer in
          writer.member("pebble", Int(atom.pebble.index))
          writer.member("is", Event.allCases.filter(atom.outcomes.accepts).map(\.word))
          writer.member("case", atom.casePlace)
        }
      case .place(let number): writer.value(number)
      }
    }
  }
}
