import Pebbles

extension Report {
  /// Whether the run kept a law.
  ///
  /// This is about one run, whatever happened in it; of all runs speaks `Scenarios.check(_:)`.
  ///
  /// - Parameter law: A law about the pebbles of this run.
  /// - Returns: Whether it is kept.
  /// - Throws: `UnknownPebbleError` if it mentions a pebble that the run did not have.
  /// - Complexity: O(size of the law), parts that are shared counted once.
  public func keeps(_ law: Law) throws(UnknownPebbleError) -> Bool {
    try storage.value(of: law.condition, saidBy: law.label) == true
  }

  /// Whether a condition is true of how the pebbles of the run ended.
  ///
  /// - Parameter condition: A condition over pebbles of this run. Its predicates are called.
  /// - Returns: Whether it is true.
  /// - Throws: `UnknownPebbleError` if it mentions a pebble that the run did not have.
  /// - Complexity: O(size of the condition), parts that are shared counted once.
  public func holds(_ condition: Condition) throws(UnknownPebbleError) -> Bool {
    try storage.value(of: condition, saidBy: condition.description) == true
  }
}
