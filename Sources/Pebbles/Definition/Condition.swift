/// A boolean expression over how other pebbles end; it decides whether, and when, a pebble runs.
///
/// Conditions are values. They are built from the atoms of a ``Pebble`` (``Pebble/succeeded``,
/// ``Pebble/failed``, ``Pebble/skipped``, ``Pebble/completed``, ``Pebble/settled``) with `&&`, `||`
/// and `!`:
///
/// ```swift
/// pond.pebble("showOffline", when: ping.failed && cache.completed) { … }
/// ```
///
/// An atom is *unknown* until its pebble settles, then true or false for good. A condition is
/// decided at the first moment Kleene's three-valued tables decide it: once **true** the pebble
/// starts, once **false** it is skipped, even while other pebbles it mentions still run.
///
/// `&&` and `||` do not short-circuit and take no closure: they build an expression, they do not
/// evaluate one.
public struct Condition: Sendable {
  @usableFromInline let storage: Storage

  // Safe to share: all but `Compound` is `Sendable`, and one that is shared never changes.
  @usableFromInline
  enum Storage: @unchecked Sendable {
    case constant(Bool)
    case atom(Atom)
    case short(ShortCondition)
    case compound(Compound)
  }

  // Safe to share, as `Storage` is.
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

  /// The condition that is false from the start; its pebble is skipped in every run.
  public static let never = Condition(.constant(false))
}

extension Condition {
  /// The condition as a tree, which is made anew each time if it is words: to tell its operators
  /// apart by identity, ask once, or ask for `tree`.
  package var expression: Expression {
    switch storage {
    case .constant(let value): .constant(value)
    case .atom(let atom): .atom(atom)
    case .short(let short): short.expression
    case .compound(let node): .compound(node)
    }
  }

  /// The same condition, as a tree that stays what it is.
  package var tree: Condition { Condition(expression) }
}

extension Condition.Expression {
  /// The tree that the first of some words stand for.
  init(_ words: UnsafeBufferPointer<ConditionTable.Word>, of definition: PondDefinition) {
    var position = words.startIndex
    self.init(words, at: &position, of: definition)
  }

  /// There are few words, hence the recursion.
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
