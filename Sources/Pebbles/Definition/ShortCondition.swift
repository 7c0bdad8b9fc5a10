/// A condition with two to four atoms from one definition and at most two levels of operators.
///
/// An outer AND joins atoms and ORs of atoms; an outer OR joins atoms and ANDs of atoms. No atom
/// refers to a case. Most conditions with operators have this form.
///
/// A short condition allocates no memory. Defining a pebble with a short condition therefore
/// creates no tree of objects, and retains the definition once instead of once for each atom. Any
/// other condition with operators is a tree of `Compound` nodes.
@usableFromInline
struct ShortCondition: Sendable {
  typealias Word = ConditionTable.Word

  let definition: PondDefinition

  /// The atoms as words. The highest bit of a word is not part of the atom. In the first word, this
  /// bit is set if the whole condition is an OR. In every other word, it is set if the word begins
  /// an operand.
  private var atoms: (UInt32, UInt32, UInt32, UInt32)

  static let mostAtoms = 4
  private static let mark: UInt32 = 1 << 31

  /// The word for a missing atom. No atom has this word, because the atom's pebble would have to be
  /// the last one of a pond that is too large to fit in memory.
  private static let none = UInt32.max

  /// Creates a short condition from an atom or a short condition.
  ///
  /// - Parameter condition: An atom or a short condition.
  @inline(__always)
  fileprivate init(_ condition: consuming Condition) {
    let storage = (consume condition).storage
    switch consume storage {
    case .atom(let atom):
      definition = atom.pebble.definition
      atoms = (Word(atom).bits, Self.none, Self.none, Self.none)
    case .short(let short): self = short
    case .constant, .compound: preconditionFailure("the condition is not short")
    }
  }

  var count: Int {
    atoms.1 == Self.none ? 1 : atoms.2 == Self.none ? 2 : atoms.3 == Self.none ? 3 : 4
  }

  @inline(__always)
  var kind: GateKind { atoms.0 & Self.mark == 0 ? .all : .any }

  /// Whether all operands are atoms.
  @inline(__always)
  var isFlat: Bool { atoms.1 & atoms.2 & atoms.3 & Self.mark != 0 }

  /// Joins another atom to the condition with an AND or OR. Before the call, the condition has
  /// `count` atoms.
  @inline(__always)
  fileprivate mutating func append(_ atom: Word, _ kind: GateKind, at count: Int) {
    atoms.0 = atoms.0 & ~Self.mark | (kind == .any ? Self.mark : 0)
    set(atom.bits | Self.mark, at: count)
  }

  /// Joins another operand to the condition with an AND or OR. Before the call, the condition has
  /// `count` atoms, and the operand has `operandCount` atoms.
  fileprivate mutating func append(
    _ operand: ShortCondition, _ kind: GateKind, at count: Int, of operandCount: Int
  ) {
    if self.kind != kind {
      // The previous condition becomes the first operand.
      if count > 1 { atoms.1 &= ~Self.mark }
      if count > 2 { atoms.2 &= ~Self.mark }
    }
    append(Word(bits: operand.atoms.0 & ~Self.mark), kind, at: count)
    if operandCount > 1 { set(operand.atoms.1 & ~Self.mark, at: count + 1) }
    if operandCount > 2 { set(operand.atoms.2 & ~Self.mark, at: count + 2) }
  }

  @inline(__always)
  private mutating func set(_ atom: UInt32, at position: Int) {
    switch position {
    case 1: atoms.1 = atom
    case 2: atoms.2 = atom
    default: atoms.3 = atom
    }
  }

  /// The same condition as a tree.
  var expression: Condition.Expression { withWords { .init($0, of: definition) } }

  /// Calls `body` with the words of the condition, operators before their operands.
  @inline(__always)
  func withWords<Result>(_ body: (UnsafeBufferPointer<Word>) -> Result) -> Result {
    guard isFlat else { return withNestedWords(body) }
    let words = (
      Word(joining: kind, count), Word(bits: atoms.0 & ~Self.mark),
      Word(bits: atoms.1 & ~Self.mark), Word(bits: atoms.2 & ~Self.mark),
      Word(bits: atoms.3 & ~Self.mark)
    )
    return withUnsafeBytes(of: words) { bytes in
      // A tuple of one type has the memory layout of an array.
      let words = bytes.assumingMemoryBound(to: Word.self)
      return body(UnsafeBufferPointer(start: words.baseAddress, count: count + 1))
    }
  }

  @inline(never)
  private func withNestedWords<Result>(_ body: (UnsafeBufferPointer<Word>) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: Word.self, capacity: 7) { words in
      withUnsafeBytes(of: atoms) { bytes in
        let (atoms, count) = (bytes.assumingMemoryBound(to: UInt32.self), count)
        var (end, operandCount, start) = (1, 0, 0)
        while start < count {
          var next = start + 1
          while next < count, atoms[next] & Self.mark == 0 { next += 1 }
          if next - start > 1 {
            words[end] = Word(joining: kind.dual, next - start)
            end += 1
          }
          for place in start..<next {
            words[end] = Word(bits: atoms[place] & ~Self.mark)
            end += 1
          }
          operandCount += 1
          start = next
        }
        words[0] = Word(joining: kind, operandCount)
        return body(UnsafeBufferPointer(rebasing: words[..<end]))
      }
    }
  }
}

extension Condition {
  /// Returns the AND or OR of two conditions.
  ///
  /// `a && b && c` is `(a && b) && c`. If the left side has the same operator and room for the
  /// right side, the right side is appended to its operands. Otherwise, both sides become operands
  /// of a new operator.
  static func joining(
    _ kind: GateKind, _ left: consuming Condition, _ right: consuming Condition
  ) -> Condition {
    guard let atom = right.leaf, let one = left.extent, one.definition == atom.definition,
      one.count < ShortCondition.mostAtoms, one.kind == nil || one.kind == kind
    else { return joiningNested(kind, left, right) }
    var whole = ShortCondition(left)
    whole.append(atom.word, kind, at: one.count)
    return Condition(storage: .short(whole))
  }

  /// Returns the AND or OR of two conditions in the less common cases. Usually, the right side is
  /// an atom and `joining` appends it to the left side, so this function is not inlined.
  @inline(never)
  private static func joiningNested(
    _ kind: GateKind, _ left: consuming Condition, _ right: consuming Condition
  ) -> Condition {
    guard let one = left.extent, let other = right.extent, one.definition == other.definition,
      one.count + other.count <= ShortCondition.mostAtoms, one.kind == kind || one.isFlat,
      other.kind != kind, other.isFlat
    else { return Compound.joining(kind, left, right) }
    var whole = ShortCondition(left)
    whole.append(ShortCondition(right), kind, at: one.count, of: other.count)
    return Condition(storage: .short(whole))
  }

  private typealias Word = ConditionTable.Word

  /// The word of an atom without a case, and the identity of its definition; `nil` for other
  /// conditions.
  @inline(__always)
  private var leaf: (word: Word, definition: UnsafeMutableRawPointer)? {
    guard case .atom(let atom) = storage, atom.caseNumber == 0 else { return nil }
    return (Word(atom), Unmanaged.passUnretained(atom.pebble.definition).toOpaque())
  }

  /// The extent of a short condition, or of an atom without a case; `nil` for other conditions.
  ///
  /// `count` is the number of atoms. `definition` identifies their definition without retaining it.
  /// `kind` is the operator between the atoms, or `nil` for a single atom. `isFlat` is `true` if
  /// all operands are atoms.
  @inline(__always)
  private var extent:
    (count: Int, definition: UnsafeMutableRawPointer, kind: GateKind?, isFlat: Bool)?
  {
    switch storage {
    case .atom(let atom) where atom.caseNumber == 0:
      (1, Unmanaged.passUnretained(atom.pebble.definition).toOpaque(), nil, true)
    case .short(let short):
      (
        short.count, Unmanaged.passUnretained(short.definition).toOpaque(), short.kind,
        short.isFlat
      )
    case .constant, .atom, .compound: nil
    }
  }
}
