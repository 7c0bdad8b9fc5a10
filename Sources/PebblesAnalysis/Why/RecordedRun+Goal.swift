import Pebbles

/// Whether a run did what its pond is for, asked of the record of it.
extension RecordedRun {
  /// Whether the run has reached the goal of its pond, as `Report.isGoalReached` says it.
  ///
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(1) without a goal, else O(pebbles + atoms + *n* log *n*) for *n* pebbles that
  ///   ran.
  public var isGoalReached: Bool? {
    get throws(RecordingError) {
      guard let goal = askedGoal else { return nil }
      if try Replay(self).state.value(ofGate: goal) == true { return true }
      return cancellation?.isOrderly == true ? nil : false
    }
  }

  /// Why the run has not reached the goal of its pond, as `Report.missedGoal` says it.
  ///
  /// - Throws: ``RecordingError`` if the pebbles cannot have ended as recorded.
  /// - Complexity: That of ``isGoalReached``.
  public var missedGoal: String? {
    get throws(RecordingError) {
      guard try isGoalReached == false, let goal = askedGoal else { return nil }
      return Explanation(try Replay(self).storage).missedGoal(goal)
    }
  }

  /// The row of the goal; `nil` if the run was not asked for it.
  private var askedGoal: Int? {
    model.pond.asksGoal(of: subset) ? model.pond.network.goal : nil
  }

  /// The pebbles that the run was of; `nil` if it was of all.
  var subset: Set<Int>? {
    let asked = pebbles.indices.filter { pebbles[$0].outcome != .skipped(.notAskedFor) }
    return asked.count == pebbles.count ? nil : Set(asked)
  }
}
