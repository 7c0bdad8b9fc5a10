import Pebbles

/// Queries about the goal of a recorded run.
extension RecordedRun {
  /// Whether the run has reached the goal of its pond, as in `Report.isGoalReached`. The value is
  /// `nil` if there is no goal, or if the run left out pebbles on which the goal depends. It is
  /// also `nil` if the run was asked to end before it reached the goal.
  ///
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(pebbles) without a goal, otherwise O(pebbles + atoms + *n* log *n*) for *n*
  ///   pebbles that ran, if nothing stalled.
  public var isGoalReached: Bool? {
    get throws(RecordingError) {
      guard let goal = askedGoal else { return nil }
      if try Replay(self).state.value(ofGate: goal) == true { return true }
      return cancellation?.isOrderly == true ? nil : false
    }
  }

  /// The reason the run has not reached its pond's goal, as in `Report.missedGoal`; `nil` if
  /// ``isGoalReached`` is `true` or `nil`.
  ///
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded.
  /// - Complexity: The same as ``isGoalReached``.
  public var missedGoal: String? {
    get throws(RecordingError) {
      guard try isGoalReached == false, let goal = askedGoal else { return nil }
      return Explanation(try Replay(self).storage).missedGoal(goal)
    }
  }

  /// The row of the goal; `nil` if the pond has no goal, or if the run did not include all pebbles
  /// that the goal depends on.
  private var askedGoal: Int? { model.pond.goal(in: subset) }

  /// The positions of the pebbles that were requested for this run; `nil` if all pebbles were
  /// requested.
  var subset: Set<Int>? {
    let asked = pebbles.indices.filter { pebbles[$0].outcome != .skipped(.notAskedFor) }
    return asked.count == pebbles.count ? nil : Set(asked)
  }
}
