extension Report {
  /// Whether the run has reached the goal of its pond. It is `nil` if the pond has no goal, if a
  /// caller or a signal asked the run to end before it reached the goal, or if the run leaves out a
  /// pebble that the goal mentions.
  ///
  /// - Complexity: O(1).
  public var isGoalReached: Bool? {
    guard let goal = storage.state.goal else { return nil }
    if storage.state.value(ofGate: goal) == true { return true }
    return cancellation?.isOrderly == true ? nil : false
  }

  /// The reason why the run has not reached the goal of its pond, as one sentence that names the
  /// smallest part of the goal that is not true; `nil` unless ``isGoalReached`` is `false`.
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
