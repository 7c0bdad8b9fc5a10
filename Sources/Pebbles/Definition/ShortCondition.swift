/// A condition with operators over a few atoms of one definition, as words: operators before their
/// operands, as `ConditionTable` keeps them. Most conditions with operators are.
///
/// A value without memory of its own. Operators put words together, so that defining a pebble makes
/// no tree of objects and counts one reference, not one for each atom. What does not fit is a tree
/// of `Compound`s.
@usableFromInline
struct ShortCondition: Sendable {
  typealias Word = ConditionTable.Word

  /// Enough for an OR of two ANDs of two atoms.
  static let mostWords = 7

  let definition: PondDefinition
  private var length: UInt32
  private var words: (Word, Word, Word, Word, Word, Word, Word)

  var count: Int { Int(length) }

  /// What the condition does at its top.
  @inline(__always)
  var operation: Word { words.0 }

  /// Words to which operators and operands are added.
  @inline(__always)
  private init(_ definition: PondDefinition, _ first: Word) {
    self.definition = definition
    let none = Word.always
    length = 1
    words = (first, none, none, none, none, none, none)
  }

  @inline(__always)
  fileprivate init(_ condition: consuming Condition) {
    let storage = (consume condition).storage
    switch consume storage {
    case .atom(let atom): self.init(atom.pebble.definition, Word(atom))
    case .short(let short): self = short
    case .constant, .compound: preconditionFailure("the condition is no words")
    }
  }

  @inline(__always)
  func withWords<Result>(_ body: (UnsafeBufferPointer<Word>) -> Result) -> Result {
    // A tuple of one type lies in memory as an array does.
    withUnsafeBytes(of: words) { words in
      body(UnsafeBufferPointer(rebasing: words.assumingMemoryBound(to: Word.self)[..<count]))
    }
  }

  /// The same as a tree.
  var expression: Condition.Expression { withWords { .init($0, of: definition) } }

  @inline(__always)
  private mutating func append(_ word: Word) {
    let position = count
    withUnsafeMutableBytes(of: &words) {
      $0.assumingMemoryBound(to: Word.self)[position] = word
    }
    length &+= 1
  }

  /// Puts an operator in front.
  @inline(__always)
  fileprivate mutating func prepend(_ operation: Word) {
    words = (operation, words.0, words.1, words.2, words.3, words.4, words.5)
    length &+= 1
  }

  /// Makes the condition the AND or OR of itself and another one, of which it may be one already.
  /// There must be room.
  @inline(__always)
  fileprivate mutating func join(_ kind: GateKind, _ other: consuming Condition) {
    if operation.gateKind == kind {
      words.0 = operation.withOneMore
    } else {
      prepend(Word(joining: kind, 2))
    }
    let storage = (consume other).storage
    switch consume storage {
    case .atom(let atom): append(Word(atom))
    case .short(let short): short.withWords { for word in $0 { append(word) } }
    case .constant, .compound: preconditionFailure("the condition is no words")
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
    guard let one = left.extent, let other = right.extent, one.definition == other.definition,
      one.count + other.count + (one.operation == kind ? 0 : 1) <= ShortCondition.mostWords
    else { return Compound.joining(kind, left, right) }
    var whole = ShortCondition(left)
    whole.join(kind, right)
    return Condition(storage: .short(whole))
  }

  /// The opposite of a condition with operators.
  static func negating(_ condition: consuming Condition) -> Condition {
    guard let extent = condition.extent, extent.count < ShortCondition.mostWords else {
      return Condition(.not, [condition])
    }
    var whole = ShortCondition(condition)
    whole.prepend(ConditionTable.Word(.not, 1))
    return Condition(storage: .short(whole))
  }

  /// How many words the condition is, what it does at its top, and the identity of what its atoms
  /// belong to: to look at that counts no reference. `nil` if it is no words.
  @inline(__always)
  private var extent: (count: Int, operation: GateKind?, definition: UnsafeMutableRawPointer)? {
    switch storage {
    case .atom(let atom) where atom.caseNumber == 0:
      (1, nil, Unmanaged.passUnretained(atom.pebble.definition).toOpaque())
    case .short(let short):
      (
        short.count, short.operation.gateKind,
        Unmanaged.passUnretained(short.definition).toOpaque()
      )
    case .constant, .atom, .compound: nil
    }
  }
}
