extension Condition {
  /// True once both sides are true; false as soon as one side is false.
  public static func && (
    left: consuming Condition, right: consuming Condition
  )
    -> Condition
  {
    joining(.all, left, right)
  }

  /// True as soon as one side is true; false once both sides are false.
  public static func || (
    left: consuming Condition, right: consuming Condition
  )
    -> Condition
  {
    joining(.any, left, right)
  }

  /// True once the operand is false and the other way round; unknown while the operand is unknown.
  ///
  /// `!launches.succeeded` is true when `launches` failed *or was skipped*.
  public static prefix func ! (operand: Condition) -> Condition {
    switch operand.storage {
    case .constant(let value):
      Condition(.constant(!value))
    case .atom(let atom):
      Condition(.atom(atom.complement))
    case .short, .compound:
      Condition(.not, [operand])
    }
  }

  /// True once every condition is true; ``always`` for an empty sequence.
  ///
  /// - Complexity: O(*n*) in the number of conditions.
  public static func all(_ conditions: some Sequence<Condition>) -> Condition {
    Condition(.all, Array(conditions))
  }

  /// True once every condition is true; ``always`` when none is given.
  public static func all(_ conditions: Condition...) -> Condition {
    all(conditions)
  }

  /// True as soon as one condition is true; ``never`` for an empty sequence.
  ///
  /// - Complexity: O(*n*) in the number of conditions.
  public static func any(_ conditions: some Sequence<Condition>) -> Condition {
    Condition(.any, Array(conditions))
  }

  /// True as soon as one condition is true; ``never`` when none is given.
  public static func any(_ conditions: Condition...) -> Condition {
    any(conditions)
  }

  /// True once exactly one of the conditions is true, and all others are false; false as soon as
  /// two are true.
  ///
  /// - Complexity: O(*n*) in the number of conditions.
  public static func exactlyOne(of conditions: Condition...) -> Condition {
    exactlyOne(of: conditions)
  }

  /// True once exactly one of the conditions is true, and all others are false; false as soon as
  /// two are true, and for an empty sequence.
  ///
  /// Each step is built on the one before, so the whole grows by a few operators for each
  /// condition.
  ///
  /// - Complexity: O(*n*) in the number of conditions.
  public static func exactlyOne(of conditions: some Sequence<Condition>) -> Condition {
    counted(conditions).one
  }

  /// That none of some conditions is true, and that exactly one is.
  package static func counted(
    _ conditions: some Sequence<Condition>
  ) -> (none: Condition, one: Condition) {
    var rest = conditions.makeIterator()
    guard let first = rest.next() else { return (.always, .never) }
    var (none, one) = (!first, first)
    while let condition = rest.next() {
      one = (one && !condition) || (none && condition)
      none = none && !condition
    }
    return (none, one)
  }

  /// The same condition with a name for people: it is drawn and explained under `label`.
  ///
  /// ```swift
  /// let offline = (ping.failed && cache.failed).labeled("offline with nothing cached")
  /// ```
  public func labeled(_ label: String) -> Condition {
    Condition(.labeled(label), [self])
  }
}
