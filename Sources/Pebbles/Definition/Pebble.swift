/// A handle for one pebble of a ``Pond``: a small value for building conditions, for passing inputs
/// to other pebbles, and for reading reports.
///
/// A handle does not keep its pond alive, and the body of a pebble may capture handles of its own
/// pond.
public struct Pebble<Output: Sendable>: Sendable, Hashable {
  @usableFromInline package let reference: PebbleReference

  /// The name of the pebble.
  public var name: String { reference.name }

  /// The condition that was passed as `when:` or assigned later.
  ///
  /// Assign to this property if the condition mentions pebbles that are defined later than this
  /// one; conditions can form a cycle only in this way. The condition that `needs:` implies always
  /// applies as well. A change affects only runs that start later. Once the pond has been released,
  /// the property is ``Condition/never`` and cannot be changed.
  public var ready: Condition {
    get { reference.definition.condition(at: Int(reference.index)) }
    nonmutating set { reference.definition.setCondition(newValue, at: Int(reference.index)) }
  }
}

// Inlinable, so that each of these conditions is built in a few instructions, without a call or a
// reference count.
extension Pebble {
  /// A condition that is true when the pebble has succeeded, and false when it has failed or been
  /// skipped.
  @inlinable
  public var succeeded: Condition { condition(.succeeded) }

  /// A condition that is true when the pebble has failed, and false when it has succeeded or been
  /// skipped.
  @inlinable
  public var failed: Condition { condition(.failed) }

  /// A condition that is true when the pebble has been skipped, for any reason, and false when it
  /// has succeeded or failed.
  @inlinable
  public var skipped: Condition { condition(.skipped) }

  /// A condition that is true when the pebble has succeeded or failed, and false when it has been
  /// skipped.
  @inlinable
  public var completed: Condition { condition(.completed) }

  /// A condition that is true when the pebble has any outcome: when it has succeeded, failed or
  /// been skipped.
  @inlinable
  public var settled: Condition { condition(.settled) }

  @inlinable
  func condition(_ outcomes: OutcomeSet) -> Condition {
    Condition(storage: .atom(Atom(pebble: reference, outcomes: outcomes)))
  }
}

extension Pebble: CustomStringConvertible {
  /// The name of the pebble.
  public var description: String { name }
}
