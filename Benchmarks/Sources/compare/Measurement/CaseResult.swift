import Workloads

/// What one shape at one size came to.
struct CaseResult: Codable, Sendable {
  let shape: Shape
  let pebbles: Int
  let atoms: Int
  /// The pond first.
  var results: [ContestantResult]

  var pond: ContestantResult? { results.first }

  func result(named name: String) -> ContestantResult? {
    results.first { $0.name == name }
  }
}

/// What one contestant took, in nanoseconds per pebble, or why it did not run. Where nothing else
/// is said, they are those of all processors together.
struct ContestantResult: Codable, Sendable {
  let name: String
  /// Define, run and read the report.
  var total: Spread?
  /// The same by the clock.
  var wall: Spread?
  var define: Spread?
  var run: Spread?
  var report: Spread?
  /// Letting go of everything; in none of the others.
  var release: Spread?
  /// The pond's total divided by this one's, round by round.
  var ratio: Spread?
  /// The same by the clock.
  var wallRatio: Spread?
  /// Why there are no figures.
  var note: String?
}

extension ContestantResult {
  init(name: String, note: String) {
    self.name = name
    self.note = note
  }

  init(_ entry: Entry, _ samples: [Phases], pond: [Phases]) {
    let perPebble = { (part: KeyPath<Phases, Duration>) in
      Spread(samples.map { $0[keyPath: part].nanoseconds / Double(entry.workload.count) })
    }
    name = entry.contestant.name
    total = perPebble(\.total.cpu)
    wall = perPebble(\.total.wall)
    define = perPebble(\.define.cpu)
    run = perPebble(\.run.cpu)
    report = perPebble(\.report.cpu)
    release = perPebble(\.release.cpu)
    ratio = Spread(of: pond, over: samples, \.total.cpu)
    wallRatio = Spread(of: pond, over: samples, \.total.wall)
  }
}
