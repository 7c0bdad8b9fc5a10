import Pebbles

extension Explorer.Trial {
  fileprivate var name: String { number == 0 ? "the first schedule" : "schedule \(number)" }
}

/// The earlier runs that a run is compared with: one for each combination of outcomes and cases, up
/// to a maximum.
struct ReferenceRuns {
  /// The maximum number of runs to keep for comparison.
  private static let most = 100

  private let outcomesMayDiffer: Bool
  private var runs: [(endings: RunEndings, name: String, schedule: String)] = []
  private var known: Set<RunEndings> = []

  init(outcomesMayDiffer: Bool) {
    self.outcomesMayDiffer = outcomesMayDiffer
  }

  /// Compares a run with the earlier runs. If there is no difference, keeps the run for later
  /// comparisons, unless the maximum number of runs has been reached.
  ///
  /// - Returns: A sentence that states the difference, and the schedule of the earlier run; `nil`
  ///   if there is no difference.
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

/// The names, outcomes and cases of a run's pebbles.
struct RunEndings: Hashable {
  private let names: [String]
  private let outcomes: [Event]
  private let cases: [[PebbleCase]]

  init(_ report: Report) {
    names = report.records.map(\.name)
    outcomes = report.records.map(\.outcome.event)
    cases = report.records.map(\.cases)
  }

  /// Hashes only the outcomes, because the names are long and usually equal.
  func hash(into hasher: inout Hasher) {
    hasher.combine(outcomes)
  }

  /// Returns the first difference between this run and another run, worded to be followed by "in"
  /// and the name of this run: `"open failed as locked, but succeeded"`. Returns `nil` if there is
  /// no difference. Also returns `nil` if `bodiesMayDiffer` is `true` and a body ended differently,
  /// or with different cases, in the two runs.
  func difference(to other: RunEndings, _ bodiesMayDiffer: Bool) -> String? {
    guard names == other.names else { return "the pond has other pebbles than" }
    let differing = names.indices.filter { place in
      outcomes[place] != other.outcomes[place] || cases[place] != other.cases[place]
    }
    // Ends of bodies come first: other differences may follow from them.
    let body = differing.first { place in
      outcomes[place] != .skipped && other.outcomes[place] != .skipped
    }
    if bodiesMayDiffer, body != nil { return nil }
    guard let place = body ?? differing.first else { return nil }
    return "\(names[place].swiftName) \(other.past(place)), but \(past(place))"
  }

  /// Returns a phrase that states how a pebble ended: `"succeeded"`, `"failed as locked"`.
  private func past(_ place: Int) -> String { cases[place].past(or: outcomes[place]) }
}
