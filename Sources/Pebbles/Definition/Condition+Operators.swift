extension Condition {
  /// Returns a condition that is true once both sides are true, and false as soon as one side is
  /// false.
  public static func && (
    left: consuming Condition, right: consuming Condition
  )
    -> Condition
  {
    joining(.all, left, right)
  }

  /// Returns a condition that is true as soon as one side is true, and false once both sides are
  /// false.
  public static func || (
    left: consuming Condition, right: consuming Condition
  )
    -> Condition
  {
    joining(.any, left, right)
  }

  /// Returns a condition that is true once the operand is false, false once the operand is true,
  /// and unknown while the operand is unknown.
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

  /// Returns a condition that is true once every condition in a sequence is true; ``always`` if the
  /// sequence is empty.
  ///
  /// - Complexity: O(*n*), where *n* is the number of conditions.
  public static func all(_ conditions: some Sequence<Condition>) -> Condition {
    Condition(.all, Array(conditions))
  }

  /// Returns a condition that is true once every given condition is true; ``always`` if no
  /// conditions are given.
  public static func all(_ conditions: Condition...) -> Condition {
    all(conditions)
  }

  /// Returns a condition that is true as soon as one condition in a sequence is true; ``never`` if
  /// the sequence is empty.
  ///
  /// - Complexity: O(*n*), where *n* is the number of conditions.
  public static func any(_ conditions: some Sequence<Condition>) -> Condition {
    Condition(.any, Array(conditions))
  }

  /// Returns a condition that is true as soon as one given condition is true; ``never`` if no
  /// conditions are given.
  public static func any(_ conditions: Condition...) -> Condition {
    any(conditions)
  }

  /// Returns a condition that is true once exactly one of the given conditions is true and all
  /// others are false. It is false as soon as two are true, or once all are false.
  ///
  /// - Complexity: O(*n*), where *n* is the number of conditions.
  public static func exactlyOne(of conditions: Condition...) -> Condition {
    exactlyOne(of: conditions)
  }

  /// Returns a condition that is true once exactly one of the conditions in a sequence is true and
  /// all others are false. It is false as soon as two are true, or once all are false. If the
  /// sequence is empty, the result is ``never``.
  ///
  /// The conditions are added one by one, and each adds a few operators to the expression.
  ///
  /// - Complexity: O(*n*), where *n* is the number of conditions.
  public static func exactlyOne(of conditions: some Sequence<Condition>) -> Condition {
    counted(conditions).one
  }

  /// Returns two conditions: `none`, which is true if no given condition is true, and `one`, which
  /// is true if exactly one of the given conditions is true.
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

  /// Returns the same condition with a label, which is shown in place of the condition in pictures
  /// and explanations.
  ///
  /// ```swift
  /// let offline = (ping.failed && cache.failed).labeled("offline with nothing cached")
  /// ```
  public func labeled(_ label: String) -> Condition {
    Condition(.labeled(label), [self])
  }
}
