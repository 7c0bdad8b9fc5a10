extension Explorer.Trial {
  fileprivate var name: String { number == 0 ? "the first schedule" : "schedule \(number)" }
}

/// The earlier runs with which a run is compared: the first run or, if bodies may end differently,
/// the first run of each combination of ends.
struct ReferenceRuns {
  /// The largest number of runs to keep for comparison.
  private static let most = 100

  private let outcomesMayDiffer: Bool
  private var runs: [(endings: RunEndings, name: String, schedule: String)] = []
  private var known: Set<RunEndings> = []

  init(outcomesMayDiffer: Bool) {
    self.outcomesMayDiffer = outcomesMayDiffer
  }

  /// Compares a run with the earlier ones. If there is no difference, keeps it for later
  /// comparisons, unless the largest number of runs is reached.
  ///
  /// - Returns: The difference as a sentence, and the schedule of the earlier run; `nil` if there
  ///   is no difference.
  mutating func difference(
    to endings: RunEndings, of trial: Explorer.Trial
  ) -> (sentence: String, schedule: String)? {
    guard !known.contains(endings) else { return nil }
    for run in runs {
      if let difference = run.endings.difference(to: endings, outcomesMayDiffer) {
        return ("\(difference) in \(run.name)", run.schedule)
      }
    }
    guard runs.count < Self.most else { return nil }
    known.insert(endings)
    runs.append((endings, trial.name, trial.ending.choices.text))
    return nil
  }
}
