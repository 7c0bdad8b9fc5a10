/// The conditions of a definition, by pebble, in a packed form.
///
/// A condition as users build it is a tree of nodes. Kept like that, every operator would take 80
/// bytes somewhere in memory, and every atom a reference to the definition. Nearly all conditions
/// are small and speak only of pebbles of their own definition; of those the table keeps a word per
/// atom and operator, operators before their operands, and compiling reads one word after another.
/// All others, such as those with cases, are kept as they
/// are.
package struct ConditionTable: Sendable {
  private var conditions: [Word] = []
  private var operands: [Word] = []
  private var kept: [Condition] = []
  private var freePlaces: [Int] = []

  /// From how many leaves on a condition is not packed, because it may share parts with others that
  /// must be compiled only once.
  let smallestShared: Int32

  /// How many operators can stand one inside the other in a packed condition, and how many words
  /// there can be in all.
  private static let mostDepth: Int32 = 16
  private static let mostWords = 64

  /// Whether conditions with operators are packed; otherwise all of their nodes stay what they are.
  private let packsOperators: Bool

  init(smallestShared: Int32 = Compound.smallestShared, packsOperators: Bool = true) {
    self.smallestShared = smallestShared
    self.packsOperators = packsOperators
  }

  // MARK: Reading

  subscript(pebble: Int) -> Word { conditions[pebble] }

  /// Calls `body` with the words of all pebbles, and the operators and operands behind them.
  @inline(__always)
  func withWords<Result>(
    _ body: (UnsafeBufferPointer<Word>, UnsafeBufferPointer<Word>) -> Result
  ) -> Result {
    conditions.withUnsafeBufferPointer { conditions in
      operands.withUnsafeBufferPointer { body(conditions, $0) }
    }
  }

  /// How many operators and operands the packed conditions have.
  var packedCount: Int { operands.count }

  /// The operator or operand at a position of packed conditions.
  @inline(__always)
  func operand(at position: Int) -> Word { operands[position] }

  /// A condition too large or too unusual to be packed.
  func kept(_ word: Word) -> Condition { kept[word.value] }

  /// Calls `body` with each of those.
  func forEachKept(_ body: (borrowing Condition) -> Void) {
    for condition in kept { body(condition) }
  }

  /// Makes the condition anew, as it was given.
  func condition(_ word: Word, of definition: PondDefinition) -> Condition {
    if word.isAtom {
      let pebble = PebbleReference(definition: definition, index: UInt32(word.pebble))
      return Condition(.atom(Atom(pebble: pebble, outcomes: word.outcomes)))
    }
    switch word.kind {
    case .constant: return Condition(.constant(word.value == 1))
    case .kept: return kept[word.value]
    case .packed:
      var position = word.value
      return unpack(&position, of: definition)
    case .all, .any, .not: preconditionFailure("an operator stands alone, without its operands")
    }
  }

  private func unpack(_ position: inout Int, of definition: PondDefinition) -> Condition {
    let word = operands[position]
    position += 1
    guard !word.isAtom else { return condition(word, of: definition) }
    let operation: Compound.Operation
    switch word.kind {
    case .all: operation = .all
    case .any: operation = .any
    case .not: operation = .not
    case .constant, .packed, .kept: return condition(word, of: definition)
    }
    return Condition(operation, (0..<word.value).map { _ in unpack(&position, of: definition) })
  }

  // MARK: Writing

  @inline(__always)
  mutating func append(_ condition: borrowing Condition, of definition: PondDefinition) {
    // The most common ones without the way through `pack`.
    if case .word(let word) = Leaf(condition, of: definition) { return conditions.append(word) }
    conditions.append(pack(condition, of: definition))
  }

  /// Gives a pebble another condition.
  ///
  /// - Returns: What has to be released, outside of any lock: it may hold user code.
  mutating func replace(
    at pebble: Int, with condition: Condition, of definition: PondDefinition
  ) -> Condition? {
    let old = conditions[pebble]
    var released: Condition?
    if !old.isAtom, old.kind == .kept {
      released = kept[old.value]
      kept[old.value] = .never
      freePlaces.append(old.value)
    }
    // Packed words are never reused, so only what takes none is packed here: a program that sets a
    // condition again and again must not grow.
    if case .compound = condition.expression {
      conditions[pebble] = keep(condition)
    } else {
      conditions[pebble] = pack(condition, of: definition)
    }
    return released
  }

  mutating func pack(_ condition: borrowing Condition, of definition: PondDefinition) -> Word {
    switch Leaf(condition, of: definition) {
    case .word(let word): return word
    case .node(let node) where packsOperators && operands.count < Word.mostValue:
      let start = operands.count
      let isPacked = withUnsafeTemporaryAllocation(of: Word.self, capacity: Self.mostWords) {
        var words = PackedWords($0)
        guard pack(node, into: &words, of: definition) else { return false }
        operands += words.written
        return true
      }
      if isPacked { return Word(.packed, start) }
    case .node, .foreign: break
    }
    return keep(copy condition)
  }

  /// - Returns: Whether that was possible.
  private func pack(
    _ node: Unmanaged<Compound>, into words: inout PackedWords, of definition: PondDefinition
  ) -> Bool {
    node._withUnsafeGuaranteedRef { node in
      guard node.leafCount < smallestShared, node.depth <= Self.mostDepth else { return false }
      let count = Int(node.operandCount)
      var isPossible =
        switch node.operation {
        case .all: words.append(Word(.all, count))
        case .any: words.append(Word(.any, count))
        case .not: words.append(Word(.not, count))
        case .labeled: false
        }
      node.forEachOperand { operand in
        guard isPossible else { return }
        isPossible =
          switch Leaf(operand, of: definition) {
          case .word(let word): words.append(word)
          case .node(let node): pack(node, into: &words, of: definition)
          case .foreign: false
          }
      }
      return isPossible
    }
  }

  /// A condition as far as packing it is concerned. Made without counting a reference, so that
  /// defining a pebble does not count three for every atom.
  private enum Leaf {
    case word(Word)
    case node(Unmanaged<Compound>)
    case foreign

    @inline(__always)
    init(_ condition: borrowing Condition, of definition: PondDefinition) {
      self =
        switch condition.expression {
        case .constant(let value): .word(Word(.constant, value ? 1 : 0))
        case .atom(let atom)
        where atom.caseNumber == 0 && atom.pebble.definition === definition:
          .word(Word(atom: atom.pebble.index, atom.outcomes))
        case .atom: .foreign
        case .compound(let node): .node(.passUnretained(node))
        }
    }
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
    case .kept: return pack(relocation.moved(other.kept(word)), of: definition)
    case .all, .any, .not: preconditionFailure("an operator stands alone, without its operands")
    }
  }

  private mutating func keep(_ condition: Condition) -> Word {
    if let place = freePlaces.popLast() {
      kept[place] = condition
      return Word(.kept, place)
    }
    kept.append(condition)
    return Word(.kept, kept.count - 1)
  }
}

/// Where a condition is packed, on the stack, before it is known whether it can be.
private struct PackedWords {
  private let words: UnsafeMutableBufferPointer<ConditionTable.Word>
  private var count = 0

  init(_ words: UnsafeMutableBufferPointer<ConditionTable.Word>) {
    self.words = words
  }

  var written: Slice<UnsafeMutableBufferPointer<ConditionTable.Word>> { words[..<count] }

  /// - Returns: Whether there was room.
  mutating func append(_ word: ConditionTable.Word) -> Bool {
    guard count < words.count else { return false }
    words[count] = word
    count += 1
    return true
  }
}
