/// The conditions of a definition, by pebble, in a packed form.
///
/// As a tree, every operator would take 80 bytes somewhere in memory, and every atom a reference to
/// the definition. Nearly all conditions are small and speak only of pebbles of their own
/// definition; of those the table keeps a word per atom and operator, operators before their
/// operands, and compiling reads one word after another. All others, such as those with cases, are
/// kept as the trees they are.
@usableFromInline
package struct ConditionTable: Sendable {
  private var conditions: [Word] = []
  private var operands: [Word] = []
  private var kept: [Condition.Expression] = []
  private var freePlaces: [Int] = []

  /// From how many leaves on a condition is not packed, because it may share parts with others that
  /// must be compiled only once.
  let smallestShared: Int32

  /// How many operators can stand one inside the other in a packed condition.
  private static let mostDepth: Int32 = 16

  /// Whether conditions with operators are packed; otherwise all of their nodes stay what they are.
  private let packsOperators: Bool

  init(smallestShared: Int32 = Compound.smallestShared, packsOperators: Bool = true) {
    self.smallestShared = smallestShared
    self.packsOperators = packsOperators
  }

  // MARK: Reading

  subscript(pebble: Int) -> Word { conditions[pebble] }

  /// Calls `body` with the words of all pebbles, and the operators and operands behind them.
  func withWords<User: ~Copyable>(
    for user: inout User,
    _ body: (inout User, UnsafePointer<Word>, UnsafePointer<Word>) -> Void
  ) {
    conditions.withUnsafeBufferPointer { conditions in
      operands.withUnsafeBufferPointer { operands in
        // Without a pebble there are no conditions, without a packed one no operands.
        guard let first = conditions.baseAddress else { return }
        body(&user, first, operands.baseAddress ?? first)
      }
    }
  }

  /// How many operators and operands the packed conditions have.
  var packedCount: Int { operands.count }

  /// A condition too large or too unusual to be packed.
  func kept(_ word: Word) -> Condition.Expression { kept[word.value] }

  /// Calls `body` with each of those.
  func forEachKept(_ body: (borrowing Condition.Expression) -> Void) {
    for expression in kept { body(expression) }
  }

  /// Makes the condition anew, as it was given.
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

  /// Gives a pebble another condition.
  ///
  /// - Returns: What has to be released, outside of any lock: it may hold user code.
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
    // Packed words are never reused, so only what takes none is packed here: a program that sets a
    // condition again and again must not grow.
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

  /// - Returns: Whether that was possible.
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

  // MARK: Taking in

  /// Whether positions stay small enough for words if another table is taken in.
  func hasRoom(for other: ConditionTable) -> Bool {
    conditions.count + other.conditions.count <= Word.mostValue
      && operands.count + other.operands.count <= Word.mostValue
  }

  /// Adds the conditions of another definition.
  ///
  /// - Parameters:
  ///   - other: The conditions; they have to live for as long as `relocation`.
  ///   - needs: More words of `other`, by pebble.
  ///   - definition: The one that this is the table of.
  ///   - relocation: Where the pebbles of the other definition go.
  /// - Returns: `needs` as words of this table, by pebble.
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
