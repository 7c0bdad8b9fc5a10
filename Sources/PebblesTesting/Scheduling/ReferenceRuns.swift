extension Explorer.Trial {
  fileprivate var name: String { number == 0 ? "the first schedule" : "schedule \(number)" }
}

/// The runs that others are compared with: the first one, and, where bodies may end differently,
/// the first of each way in which pebbles ended.
struct ReferenceRuns {
  /// How many there are at most.
  private static let most = 100

  private let outcomesMayDiffer: Bool
  private var runs: [(endings: RunEndings, name: String, schedule: String)] = []
  private var known: Set<RunEndings> = []

  init(outcomesMayDiffer: Bool) {
    self.outcomesMayDiffer = outcomesMayDiffer
  }

  /// Compares a run with those before it, and keeps it for those that come.
  ///
  /// - Returns: What is different, as a sentence, and the schedule of the run where it is.
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
