import Pebbles

/// The traits of pebbles, for programs that call bodies themselves, for example on other machines.
/// These functions return default values for positions that are not in the model.
extension PondModel {
  /// Returns the time limit for an attempt of the pebble at a position in definition order; `nil`
  /// if the pebble has no time limit.
  public func timeout(at position: Int) -> Duration? { property(at: position)?.timeout }

  /// Returns the priority of the pebble at a position in definition order; 0 by default.
  public func priority(at position: Int) -> Int { property(at: position)?.priority ?? 0 }

  /// Returns whether the pebble at a position in definition order is a service.
  public func isService(at position: Int) -> Bool { property(at: position)?.isService ?? false }

  /// Returns whether the pebble at a position in definition order has no body, because its output
  /// is given to every run.
  public func isGiven(at position: Int) -> Bool { property(at: position)?.isGiven ?? false }

  /// Returns whether the pebble at a position in definition order may be disabled for a run.
  package func isOptional(at position: Int) -> Bool { property(at: position)?.isOptional ?? false }

  /// Returns whether the pebble at a position in definition order has a teardown. A teardown undoes
  /// the effects of the body.
  public func hasTeardown(at position: Int) -> Bool {
    property(at: position)?.hasTeardown ?? false
  }

  /// Returns the positions, in ascending order, of the inputs of the pebble at a position in
  /// definition order. The inputs are the pebbles in `needs:`, whose outputs or outcomes are passed
  /// to the body.
  ///
  /// - Complexity: O(*n* log *n*) for *n* inputs.
  public func inputs(at position: Int) -> [Int] {
    (0..<count).contains(position) ? pond.graph.pebblesRead(by: position) : []
  }

  private func property(at position: Int) -> PebbleProperties? {
    UInt32(exactly: position).flatMap { properties[$0] }
  }
}
