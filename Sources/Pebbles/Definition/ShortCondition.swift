/// A condition of two to four atoms of one definition, and of operators at most two deep: an AND of
/// atoms and of ORs of atoms, or an OR of atoms and of ANDs. Most conditions with operators are.
///
/// A value without memory of its own. Operators put atoms together, so that defining a pebble makes
/// no tree of objects and counts one reference, not one for each atom. What does not fit is a tree
/// of `Compound`s.
@usableFromInline
struct ShortCondition: Sendable {
  typealias Word = ConditionTable.Word

  let definition: PondDefinition

  /// The atoms as words, whose highest bit is free. It is set in the first one if the whole is an
  /// OR, and in each other one with which an operand begins.
  private var atoms: (UInt32, UInt32, UInt32, UInt32)

  static let mostAtoms = 4
  private static let mark: UInt32 = 1 << 31

  /// No atom. The word of the last pebble that a pond could have, if a memory could hold it.
  private static let none = UInt32.max

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

  /// Makes the condition, of so many atoms, an AND or OR with one more.
  @inline(__always)
  fileprivate mutating func append(_ atom: Word, _ kind: GateKind, at count: Int) {
    atoms.0 = atoms.0 & ~Self.mark | (kind == .any ? Self.mark : 0)
    set(atom.bits | Self.mark, at: count)
  }

  /// Makes the condition, of so many atoms, an AND or OR with one more operand.
  fileprivate mutating func append(
    _ operand: ShortCondition, _ kind: GateKind, at count: Int, of operandCount: Int
  ) {
    if self.kind != kind {
      // What was the whole becomes the first operand.
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

  /// The same as a tree.
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
      // A tuple of one type lies in memory as an array does.
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
  /// The AND or OR of two conditions.
  ///
  /// `a && b && c` is `(a && b) && c`: the right side becomes one more operand of what stands on
  /// the left.
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

  /// Out of line: most right sides are atoms, of the operator that stands on the left.
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

  /// An atom without a case, and the identity of what it belongs to.
  @inline(__always)
  private var leaf: (word: Word, definition: UnsafeMutableRawPointer)? {
    guard case .atom(let atom) = storage, atom.caseNumber == 0 else { return nil }
    return (Word(atom), Unmanaged.passUnretained(atom.pebble.definition).toOpaque())
  }

  /// How many atoms the condition has, what they belong to, what it does with them (nothing with
  /// one), and whether its operands are atoms; `nil` if it is not short. To look at the identity
  /// counts no reference.
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
