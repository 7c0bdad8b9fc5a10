import PebblesAnalysis

extension RecordedRun {
  /// Whether the run did what it is for, as a sentence; `nil` if it was for nothing, or was asked
  /// to end before.
  var goalSentence: String? {
    // A picture is of use also of a record that contradicts itself.
    guard let isReached = (try? isGoalReached) ?? nil else { return nil }
    let missed = (try? missedGoal) ?? nil
    let sentence = isReached ? "the goal was reached" : missed ?? "the goal was not reached"
    return (sentence.prefix(1).uppercased() + sentence.dropFirst()).singleLine + "."
  }
}
