extension Report {
  /// Whether the run has reached the goal of its pond; `nil` if it has none, if the run was asked
  /// to end, by a caller or a signal, before it did, or if it leaves out a pebble that the goal
  /// mentions.
  ///
  /// - Complexity: O(1).
  public var isGoalReached: Bool? {
    guard let goal = storage.state.goal else { return nil }
    if storage.state.value(ofGate: goal) == true { return true }
    return cancellation?.isOrderly == true ? nil : false
  }

  /// Why the run has not reached the goal of its pond, as one sentence with the smallest part of it
  /// that is not true; `nil` unless ``isGoalReached`` is `false`.
  ///
  /// ```
  /// the goal was not reached: it needs publish to succeed, but publish was blocked
  /// ```
  ///
  /// - Complexity: O(atoms of the goal); the first call for a definition O(pebbles + atoms).
  public var missedGoal: String? {
    guard isGoalReached == false, let goal = storage.state.goal else { return nil }
    return Explanation(storage).missedGoal(goal)
  }
}
