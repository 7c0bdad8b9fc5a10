import Pebbles

/// What a pebble was given, for whoever calls its body elsewhere. Of a position that there is not,
/// nothing is known.
extension PondModel {
  /// How long an attempt of the pebble at a position in definition order may take; `nil` for as
  /// long as it likes.
  public func timeout(at position: Int) -> Duration? { property(at: position)?.timeout }

  /// The priority of the pebble at a position in definition order; 0 if it was given none.
  public func priority(at position: Int) -> Int { property(at: position)?.priority ?? 0 }

  /// Whether the pebble at a position in definition order is a service.
  public func isService(at position: Int) -> Bool { property(at: position)?.isService ?? false }

  /// Whether the pebble at a position in definition order has no body, as every run is given what
  /// it puts out.
  public func isGiven(at position: Int) -> Bool { property(at: position)?.isGiven ?? false }

  /// Whether the pebble at a position in definition order may be disabled for a run.
  public func isOptional(at position: Int) -> Bool { property(at: position)?.isOptional ?? false }

  /// Whether the pebble at a position in definition order has a teardown, which undoes what its
  /// body did.
  public func hasTeardown(at position: Int) -> Bool {
    property(at: position)?.hasTeardown ?? false
  }

  /// The pebbles whose outcomes the body of the pebble at a position is called with, ascending:
  /// those of its `needs:`.
  ///
  /// - Complexity: O(inputs), and sorting them.
  public func inputs(at position: Int) -> [Int] {
    (0..<count).contains(position) ? pond.graph.pebblesRead(by: position) : []
  }

  private func property(at position: Int) -> PebbleProperties? {
    UInt32(exactly: position).flatMap { properties[$0] }
  }
}
