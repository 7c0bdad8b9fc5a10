/// A boolean expression that decides, from the outcomes of other pebbles, whether and when a pebble
/// runs.
///
/// Conditions are values. They are built from the atoms of a ``Pebble`` (``Pebble/succeeded``,
/// ``Pebble/failed``, ``Pebble/skipped``, ``Pebble/completed``, ``Pebble/settled``) with `&&`, `||`
/// and `!`:
///
/// ```swift
/// pond.pebble("showOffline", when: ping.failed && cache.completed) { … }
/// ```
///
/// An atom is *unknown* until its pebble settles, and from then on it is either true or false. A
/// condition is decided as early as Kleene's three-valued logic allows, even while other pebbles
/// that it mentions are still running. Once the condition is **true**, the pebble starts; once the
/// condition is **false**, the pebble is skipped.
///
/// `&&` and `||` do not short-circuit and take no closure: they build an expression and do not
/// evaluate it.
public struct Condition: Sendable {
  @usableFromInline let storage: Storage

  // Safe to share: all cases except `compound` are `Sendable`, and a `Compound` that is shared
  // never changes.
  @usableFromInline
  enum Storage: @unchecked Sendable {
    case constant(Bool)
    case atom(Atom)
    case short(ShortCondition)
    case compound(Compound)
  }

  // Safe to share, like `Storage`.
  @usableFromInline
  package enum Expression: @unchecked Sendable {
    case constant(Bool)
    case atom(Atom)
    case compound(Compound)
  }

  @inlinable
  package init(_ expression: Expression) {
    storage =
      switch expression {
      case .constant(let value): .constant(value)
      case .atom(let atom): .atom(atom)
      case .compound(let node): .compound(node)
      }
  }

  @inlinable
  init(storage: Storage) {
    self.storage = storage
  }

  package init(_ operation: Compound.Operation, _ operands: [Condition]) {
    self.init(.compound(Compound.make(operation, operands)))
  }

  /// The condition that is true from the start.
  public static let always = Condition(.constant(true))

  /// The condition that is false from the start. A pebble with this condition is skipped in every
  /// run.
  public static let never = Condition(.constant(false))
}

extension Condition {
  /// The condition as a tree. If the condition is stored as words, each access creates a new tree.
  /// To compare operators by identity, read this property only once, or use `tree`.
  package var expression: Expression {
    switch storage {
    case .constant(let value): .constant(value)
    case .atom(let atom): .atom(atom)
    case .short(let short): short.expression
    case .compound(let node): .compound(node)
    }
  }

  /// The same condition, stored as a tree whose nodes keep their identity.
  package var tree: Condition { Condition(expression) }
}

extension Condition.Expression {
  /// Creates the tree that is encoded at the beginning of the given words.
  init(_ words: UnsafeBufferPointer<ConditionTable.Word>, of definition: PondDefinition) {
    var position = words.startIndex
    self.init(words, at: &position, of: definition)
  }

  /// Creates the tree whose words begin at a position, and advances the position past them.
  /// Recursion is safe here, because a condition is stored as words only if it is small.
  private init(
    _ words: UnsafeBufferPointer<ConditionTable.Word>, at position: inout Int,
    of definition: PondDefinition
  ) {
    let word = words[position]
    position += 1
    guard !word.isAtom else {
      let pebble = PebbleReference(definition: definition, index: UInt32(word.pebble))
      self = .atom(Atom(pebble: pebble, outcomes: word.outcomes))
      return
    }
    let operation: Compound.Operation
    switch word.kind {
    case .constant:
      self = .constant(word.value == 1)
      return
    case .all: operation = .all
    case .any: operation = .any
    case .not: operation = .not
    case .packed, .kept: preconditionFailure("a packed condition refers to another one")
    }
    let operands = (0..<word.value).map { _ in
      Condition(Self(words, at: &position, of: definition))
    }
    self = .compound(Compound.make(operation, operands))
  }
}
