extension ReadinessState {
  /// Settles the pebbles that can be decided only at rest: in a cancelled run, skips everything
  /// that has not started; otherwise, skips pebbles that wait for each other. The run must be at
  /// rest: nothing runs, and nothing will start.
  ///
  /// - Parameters:
  ///   - operands: The operands that each row waits for.
  ///   - isCancelled: Whether the run has been cancelled.
  ///   - time: The current time, in nanoseconds.
  ///   - decisions: The decisions to add to.
  /// - Returns: Whether any pebble has settled. If not, and the run is not cancelled, all remaining
  ///   pebbles wait for pebbles that are ready.
  /// - Complexity: O(pebbles + atoms), see `StallResolver`.
  @discardableResult
  package func settleAtRest(
    _ operands: @autoclosure () -> OperandIndex, isCancelled: Bool, at time: UInt64,
    into decisions: inout Decisions
  ) -> Bool {
    let before = decisions.settledCount
    if isCancelled {
      cancelRemaining(at: time, into: &decisions)
    } else {
      resolveStall(operands(), at: time, into: &decisions)
    }
    return decisions.settledCount > before
  }
}
