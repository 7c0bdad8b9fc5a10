import Pebbles
import PebblesAnalysis

extension RunComparison {
  /// Returns the regressions of the later run, each as a sentence.
  ///
  /// A regression is a makespan of more than `factor` times the earlier makespan, a pebble that no
  /// longer succeeds, a lost goal, or a new late failure.
  func regressions(slowerThan factor: Double) -> [String] {
    var sentences = [slowdown(over: factor)].compactMap(\.self)
    for (name, group) in lost {
      let end = end(group, "was")
      sentences.append("\(name.shortName) succeeded before and \(end)")
    }
    if let lostGoal { sentences.append(lostGoal) }
    sentences += newLateFailures.map { "\($0.pebble.shortName): \($0.clause)" }
    return sentences
  }

  /// Returns a short list of the regressions, without the names of pebbles. The list is printed
  /// after a comparison that contains these names.
  func worse(slowerThan factor: Double) -> [String] {
    var sentences = [slowdown(over: factor)].compactMap(\.self)
    let lost = lost
    for group in OutcomeGroup.allCases {
      let count = lost.count { $0.group == group }
      let end = end(group, count == 1 ? "was" : "were")
      if count > 0 { sentences.append("\(counted(count, "pebble")) succeeded before and \(end)") }
    }
    if lostGoal != nil { sentences.append("the goal was reached before, but not now") }
    let late = Set(newLateFailures.map(\.pebble)).count
    if late > 0 { sentences.append("\(counted(late, "pebble")) went wrong afterwards") }
    return sentences
  }

  /// Returns a phrase that says how the pebbles of a group ended in the later run: `were blocked`.
  /// The phrase follows "and" in a sentence.
  private func end(_ group: OutcomeGroup, _ verb: String) -> String {
    if group == .failed { return "failed" }
    return group == .cancelled && after.unended != nil
      ? "had not ended" : "\(verb) \(group.name)"
  }

  /// The pebbles that are in both runs and succeeded only in the earlier run, each with its group
  /// in the later run.
  private var lost: [(name: String, group: OutcomeGroup)] {
    let groups = Dictionary(
      zip(after.pebbles.map(\.name), after.groups(after.skipKinds))
    ) { first, _ in first }
    return changedOutcomes.compactMap { pebble in
      guard pebble.before?.outcome.isSucceeded == true, let group = groups[pebble.name],
        group != .succeeded, group != .kept
      else { return nil }
      return (pebble.name, group)
    }
  }

  /// Returns a sentence about a slowdown; `nil` unless the later run took more than `factor` times
  /// as long as the earlier one.
  private func slowdown(over factor: Double) -> String? {
    let isSlower =
      after.makespan / before.makespan > factor
      || before.makespan == .zero && after.makespan > .zero
    return isSlower
      ? "the run took \(after.makespan.brief), more than \(factor) times the "
        + "\(before.makespan.brief) before" : nil
  }
}
