import Pebbles

/// The names and outcomes of the pebbles of a run.
struct RunEndings: Hashable {
  private let names: [String]
  private let outcomes: [Event]

  init(_ report: Report) {
    names = report.records.map(\.name)
    outcomes = report.records.map(\.outcome.event)
  }

  /// Hashes only the outcomes, because the names are long, and usually the same.
  func hash(into hasher: inout Hasher) {
    hasher.combine(outcomes)
  }

  /// Returns the first difference between this run and another, worded to be followed by "in" and
  /// the name of this run: `"open failed, but succeeded"`. Returns `nil` if there is no difference.
  /// Also returns `nil` if `bodiesMayDiffer` is `true` and any body ended differently in the two
  /// runs.
  func difference(to other: RunEndings, _ bodiesMayDiffer: Bool) -> String? {
    guard names == other.names else { return "the pond has other pebbles than" }
    if outcomes == other.outcomes { return nil }
    // Ends of bodies are checked first: other differences may follow from them.
    let body = names.indices.first { place in
      outcomes[place] != other.outcomes[place] && outcomes[place] != .skipped
        && other.outcomes[place] != .skipped
    }
    if body != nil, bodiesMayDiffer { return nil }
    let place = body ?? names.indices.first { outcomes[$0] != other.outcomes[$0] }
    guard let place else { return nil }
    return "\(names[place].swiftName) \(other.outcomes[place].past), but \(outcomes[place].past)"
  }
}
