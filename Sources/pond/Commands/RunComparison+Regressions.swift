import Pebbles
import PebblesAnalysis

extension RunComparison {
  /// What is worse in the later run, a sentence each.
  func regressions(slowerThan factor: Double) -> [String] {
    var sentences = [slowdown(over: factor)].compactMap(\.self)
    for (name, end) in lost { sentences.append("\(name.shortName) succeeded before and \(end)") }
    if let lostGoal { sentences.append(lostGoal) }
    sentences += newLateFailures.map { "\($0.pebble.shortName): \($0.clause)" }
    return sentences
  }

  /// The same, where all pebbles have been named before.
  func worse(slowerThan factor: Double) -> [String] {
    var sentences = [slowdown(over: factor)].compactMap(\.self)
    for end in ["failed", "was skipped"] {
      let count = lost.count { $0.end == end }
      let verb = count == 1 || end == "failed" ? end : "were skipped"
      if count > 0 { sentences.append("\(counted(count, "pebble")) succeeded before and \(verb)") }
    }
    if lostGoal != nil { sentences.append("the goal was reached before and is not now") }
    let late = Set(newLateFailures.map(\.pebble)).count
    if late > 0 { sentences.append("\(counted(late, "pebble")) went wrong afterwards") }
    return sentences
  }

  /// The pebbles that succeeded before and do not now.
  private var lost: [(name: String, end: String)] {
    changedOutcomes.compactMap { pebble in
      guard pebble.before?.outcome.isSucceeded == true, let outcome = pebble.after?.outcome,
        !outcome.isSucceeded
      else { return nil }
      return (pebble.name, outcome.isFailed ? "failed" : "was skipped")
    }
  }

  /// That the later run took too long.
  private func slowdown(over factor: Double) -> String? {
    let isSlower =
      after.makespan / before.makespan > factor
      || before.makespan == .zero && after.makespan > .zero
    return isSlower
      ? "the run took \(after.makespan.brief), more than \(factor) times the "
        + "\(before.makespan.brief) before" : nil
  }
}
