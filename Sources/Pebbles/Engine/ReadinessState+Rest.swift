extension ReadinessState {
  /// Settles what only rest decides: what waits for itself is skipped; in a cancelled run, all that
  /// has not started is. The run must be at rest: nothing runs, and nothing will start.
  ///
  /// - Parameters:
  ///   - operands: What each row waits for.
  ///   - isCancelled: Whether the run has been cancelled.
  ///   - time: When.
  ///   - decisions: What is to be done now.
  /// - Returns: Whether anything has settled. If nothing has in a run that is not cancelled, all
  ///   that is left waits for pebbles that are ready.
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
