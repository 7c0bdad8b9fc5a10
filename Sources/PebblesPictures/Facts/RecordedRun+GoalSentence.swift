import PebblesAnalysis

extension RecordedRun {
  /// A sentence on whether the run reached its goal; `nil` if it has no goal, or was asked to end
  /// before it reached the goal.
  var goalSentence: String? {
    // A picture is useful even if the recording contradicts itself.
    guard let isReached = (try? isGoalReached) ?? nil else { return nil }
    let missed = (try? missedGoal) ?? nil
    let sentence = isReached ? "the goal was reached" : missed ?? "the goal was not reached"
    return (sentence.prefix(1).uppercased() + sentence.dropFirst()).singleLine + "."
  }
}
