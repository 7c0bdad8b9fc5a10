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
  @usableFromInline package let expression: Expression

  // Safe to share: all but `Compound` is `Sendable`, and a `Compound` never changes.
  @usableFromInline
  package enum Expression: @unchecked Sendable {
    case constant(Bool)
    case atom(Atom)
    case compound(Compound)
  }

  @inlinable
  package init(_ expression: Expression) {
    self.expression = expression
  }

  package init(_ operation: Compound.Operation, _ operands: [Condition]) {
    expression = .compound(Compound.make(operation, operands))
  }

  /// The condition that is true from the start.
  public static let always = Condition(.constant(true))

  /// The condition that is false from the start; its pebble is skipped in every run.
  public static let never = Condition(.constant(false))
}
