import Pebbles

/// How the pebbles of a run ended.
struct RunEndings: Hashable {
  private let names: [String]
  private let outcomes: [Event]

  init(_ report: Report) {
    names = report.records.map(\.name)
    outcomes = report.records.map(\.outcome.event)
  }

  /// Names are the same most of the time, and long.
  func hash(into hasher: inout Hasher) {
    hasher.combine(outcomes)
  }

  /// What is different in another run, where bodies may or may not end otherwise; as a sentence to
  /// end in the name of this one, `nil` if nothing is.
  func difference(to other: RunEndings, _ bodiesMayDiffer: Bool) -> String? {
    guard names == other.names else { return "the pond has other pebbles than" }
    if outcomes == other.outcomes { return nil }
    // How bodies end comes first: the rest may follow from it.
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
