/// A handle on one pebble of a ``Pond``: a small value to build conditions from, to hand to other
/// pebbles as an input and to read reports with.
///
/// A handle does not keep its pond alive, and the body of a pebble may capture handles of its own
/// pond.
public struct Pebble<Output: Sendable>: Sendable, Hashable {
  @usableFromInline package let reference: PebbleReference

  /// The name given when the pebble was added.
  public var name: String { reference.name }

  /// The pebble's own condition: what `when:` gave, or what was set since.
  ///
  /// Set it when the pebbles it mentions are defined later than this one; only so can conditions
  /// form a cycle. What `needs:` implies stays AND-ed to it. Runs that start later see the change;
  /// runs under way do not. Once the pond is gone it reads as ``Condition/never`` and cannot be
  /// changed.
  public var ready: Condition {
    get { reference.definition.condition(at: Int(reference.index)) }
    nonmutating set { reference.definition.setCondition(newValue, at: Int(reference.index)) }
  }
}

// Inlinable: a condition is made of these in a few instructions then, without a call and a count of
// references for each.
extension Pebble {
  /// True when the pebble has succeeded.
  @inlinable
  public var succeeded: Condition { condition(.succeeded) }

  /// True when the pebble has failed.
  @inlinable
  public var failed: Condition { condition(.failed) }

  /// True when the pebble was skipped: its own condition can no longer become true.
  @inlinable
  public var skipped: Condition { condition(.skipped) }

  /// True when the pebble ran to an end, well or badly. False when it was skipped.
  @inlinable
  public var completed: Condition { condition(.completed) }

  /// True when the pebble has any outcome: succeeded, failed or skipped.
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
