/// The conditions of a definition's pebbles, in packed form.
///
/// In a tree, every operator takes its own allocation, usually of 120 bytes, and every atom holds a
/// reference to the definition. Nearly all conditions are small and mention only pebbles of their
/// own definition. The table stores such a condition as one word per atom and operator. Operators
/// come before their operands, so the words are compiled in the order in which they are stored. The
/// table keeps all other conditions, such as those with cases, as trees.
@usableFromInline
package struct ConditionTable: Sendable {
  private var conditions: [Word] = []
  private var operands: [Word] = []
  private var kept: [Condition.Expression] = []
  private var freePlaces: [Int] = []

  /// The number of leaves at which a condition becomes too large to be packed. A large condition
  /// may share operators with other conditions, and shared operators must be compiled only once.
  let smallestShared: Int32

  /// The maximum depth of operators in a packed condition.
  private static let mostDepth: Int32 = 16

  /// Whether small conditions in tree form are packed instead of being kept as trees. A
  /// `ShortCondition` is packed in either case.
  private let packsOperators: Bool

  init(smallestShared: Int32 = Compound.smallestShared, packsOperators: Bool = true) {
    self.smallestShared = smallestShared
    self.packsOperators = packsOperators
  }

  // MARK: Reading

  subscript(pebble: Int) -> Word { conditions[pebble] }

  /// Calls `body` with the words of all pebbles, and with the operators and operands to which these
  /// words refer.
  func withWords<User: ~Copyable>(
    for user: inout User,
    _ body: (inout User, UnsafePointer<Word>, UnsafePointer<Word>) -> Void
  ) {
    conditions.withUnsafeBufferPointer { conditions in
      operands.withUnsafeBufferPointer { operands in
        // `conditions` is empty if there are no pebbles, and `operands` if no condition is packed.
        guard let first = conditions.baseAddress else { return }
        body(&user, first, operands.baseAddress ?? first)
      }
    }
  }

  /// The number of operators and operands in the packed conditions.
  var packedCount: Int { operands.count }

  /// Returns the tree that a word of kind `kept` refers to.
  func kept(_ word: Word) -> Condition.Expression { kept[word.value] }

  /// Calls `body` with each condition that is kept as a tree.
  func forEachKept(_ body: (borrowing Condition.Expression) -> Void) {
    for expression in kept { body(expression) }
  }

  /// Returns the condition that a word stands for, as a new value.
  func condition(_ word: Word, of definition: PondDefinition) -> Condition {
    guard !word.isAtom, word.kind != .constant else {
      return withUnsafePointer(to: word) {
        Condition(.init(UnsafeBufferPointer(start: $0, count: 1), of: definition))
      }
    }
    switch word.kind {
    case .kept: return Condition(kept[word.value])
    case .packed:
      return operands.withUnsafeBufferPointer {
        Condition(.init(UnsafeBufferPointer(rebasing: $0[word.value...]), of: definition))
      }
    case .constant, .all, .any, .not:
      preconditionFailure("an operator stands alone, without its operands")
    }
  }

  // MARK: Writing

  @inline(__always)
  mutating func append(_ condition: borrowing Condition, of definition: PondDefinition) {
    conditions.append(pack(condition, of: definition))
  }

  /// Replaces the condition of a pebble.
  ///
  /// - Returns: The old expression if it was kept as a tree; otherwise `nil`. The caller must
  ///   release the expression outside of any lock, because it may hold user code.
  mutating func replace(
    at pebble: Int, with condition: Condition, of definition: PondDefinition
  ) -> Condition.Expression? {
    let old = conditions[pebble]
    var released: Condition.Expression?
    if !old.isAtom, old.kind == .kept {
      released = kept[old.value]
      kept[old.value] = .constant(false)
      freePlaces.append(old.value)
    }
    // Packed words are never reused, so only a condition without operators is packed here.
    // Otherwise, the table would grow each time a program sets a condition.
    let expression = condition.expression
    conditions[pebble] =
      if case .compound = expression { keep(expression) } else { pack(condition, of: definition) }
    return released
  }

  @inline(__always)
  mutating func pack(_ condition: borrowing Condition, of definition: PondDefinition) -> Word {
    switch condition.storage {
    case .constant(let value): return Word(.constant, value ? 1 : 0)
    case .atom(let atom)
    where atom.caseNumber == 0 && atom.pebble.definition === definition:
      return Word(atom)
    case .short(let short)
    where short.definition === definition && operands.count < Word.mostValue:
      let start = operands.count
      short.withWords { operands.append(contentsOf: $0) }
      return Word(.packed, start)
    case .atom, .short, .compound: return pack(condition.expression, of: definition)
    }
  }

  @inline(never)
  private mutating func pack(
    _ expression: Condition.Expression, of definition: PondDefinition
  ) -> Word {
    let start = operands.count
    if start < Word.mostValue, case .compound = expression,
      appendWords(of: expression, definition)
    {
      return Word(.packed, start)
    }
    operands.removeSubrange(start...)
    return keep(expression)
  }

  /// Adds the words of an expression to `operands`.
  ///
  /// - Returns: Whether the expression can be packed. If not, the caller must remove the words
  ///   that have already been added.
  private mutating func appendWords(
    of expression: borrowing Condition.Expression, _ definition: PondDefinition
  ) -> Bool {
    switch expression {
    case .constant(let value): operands.append(Word(.constant, value ? 1 : 0))
    case .atom(let atom):
      guard atom.caseNumber == 0, atom.pebble.definition === definition else { return false }
      operands.append(Word(atom))
    case .compound(let node):
      guard packsOperators, node.leafCount < smallestShared, node.depth <= Self.mostDepth else {
        return false
      }
      let count = Int(node.operandCount)
      switch node.operation {
      case .all: operands.append(Word(.all, count))
      case .any: operands.append(Word(.any, count))
      case .not: operands.append(Word(.not, count))
      case .labeled: return false
      }
      var isPossible = true
      node.forEachOperand { isPossible = isPossible && appendWords(of: $0, definition) }
      return isPossible
    }
    return true
  }

  // MARK: Adding another table

  /// Returns whether all positions would still fit into words if another table were added.
  func hasRoom(for other: ConditionTable) -> Bool {
    conditions.count + other.conditions.count <= Word.mostValue
      && operands.count + other.operands.count <= Word.mostValue
  }

  /// Adds the conditions of another definition.
  ///
  /// - Parameters:
  ///   - other: The conditions to add. They must stay alive as long as `relocation`, which
  ///     identifies their nodes by address.
  ///   - needs: The conditions implied by the inputs of the other definition's pebbles, as words of
  ///     `other`, keyed by pebble. Pebbles without inputs are omitted.
  ///   - definition: The definition of this table.
  ///   - relocation: The new positions of the other definition's pebbles.
  /// - Returns: The conditions in `needs`, as words of this table, keyed by the new positions of
  ///   the pebbles.
  mutating func append(
    contentsOf other: ConditionTable, needs: [UInt32: Word], of definition: PondDefinition,
    movedBy relocation: inout Relocation
  ) -> [UInt32: Word] {
    let start = operands.count
    operands += other.operands.lazy.map { [offset = relocation.offset] in $0.moved(by: offset) }
    for word in other.conditions {
      conditions.append(
        moved(word, of: other, operandsAt: start, of: definition, by: &relocation))
    }
    var moved: [UInt32: Word] = [:]
    for (pebble, word) in needs {
      moved[pebble + UInt32(relocation.offset)] = self.moved(
        word, of: other, operandsAt: start, of: definition, by: &relocation)
    }
    return moved
  }

  private mutating func moved(
    _ word: Word, of other: ConditionTable, operandsAt start: Int,
    of definition: PondDefinition, by relocation: inout Relocation
  ) -> Word {
    guard !word.isAtom else { return word.moved(by: relocation.offset) }
    switch word.kind {
    case .constant: return word
    case .packed: return Word(.packed, start + word.value)
    case .kept:
      return pack(relocation.moved(Condition(other.kept(word))), of: definition)
    case .all, .any, .not: preconditionFailure("an operator stands alone, without its operands")
    }
  }

  private mutating func keep(_ expression: Condition.Expression) -> Word {
    if let place = freePlaces.popLast() {
      kept[place] = expression
      return Word(.kept, place)
    }
    kept.append(expression)
    return Word(.kept, kept.count - 1)
  }
}
