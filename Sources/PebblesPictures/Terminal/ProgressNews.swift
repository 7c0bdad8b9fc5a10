import Pebbles

/// The permanent lines in the progress output of a run: failures, a missed goal, and the summary.
struct ProgressNews {
  /// The maximum number of failures listed at once. Further failures are only counted.
  private static let mostAtOnce = 20

  private var told: Set<Int> = []

  /// Returns a line for each pebble that has failed since the previous call:
  /// `ping failed as offline: no route`. If there are too many failures, the last line states the
  /// number of failures that are not listed.
  mutating func failures(_ status: RunStatus) -> [String] {
    var lines: [String] = []
    var more = 0
    for (position, pebble) in status.pebbles.enumerated() {
      guard let error = pebble.state.error, told.insert(position).inserted else { continue }
      if lines.count == Self.mostAtOnce {
        more += 1
      } else {
        let name = pebble.name.shortName
        let past = pebble.state.cases.past(or: .failed)
        lines.append("\(name) \(past): \(error.text.truncated(to: 500).singleLine)")
      }
    }
    return more == 0 ? lines : lines + ["\(more) more failed"]
  }

  /// Returns an array with the line about a missed goal; empty if `missedGoal` is `nil`.
  static func lines(missedGoal: String?) -> [String] {
    missedGoal.map { [$0.truncated(to: 500).singleLine] } ?? []
  }

  /// Returns the summary of a run:
  /// `boot: 1 failed, 1 blocked, 3 succeeded in 3.2 s, goal not reached`.
  static func summary(
    _ status: RunStatus, of name: String, missedGoal: String? = nil
  ) -> String {
    let words = status.pebbles.map(\.state).map {
      $0.isKept ? "kept" : $0.skipKind?.rawValue ?? $0.kind.rawValue
    }
    let open = ["skipped", "running", "ready", "waiting"]
    let kinds = OutcomeGroup.allCases.map(\.name) + open
    let counts = kinds.compactMap { word -> String? in
      let count = words.count { $0 == word }
      return count == 0 ? nil : "\(count) \(word)"
    }
    let totals = counts.isEmpty ? "no pebbles" : counts.joined(separator: ", ")
    let goal = missedGoal == nil ? "" : ", goal not reached"
    return "\(name.singleLine.truncated(to: 60)): \(totals) in \(status.elapsed.brief)\(goal)"
  }
}
