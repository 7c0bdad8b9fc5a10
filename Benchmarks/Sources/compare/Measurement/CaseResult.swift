import Workloads

/// The results for one shape at one size.
struct CaseResult: Codable, Sendable {
  let shape: Shape
  let pebbles: Int
  let atoms: Int
  /// The results of all contestants. The result of the pond is the first.
  var results: [ContestantResult]

  var pond: ContestantResult? { results.first }

  func result(named name: String) -> ContestantResult? {
    results.first { $0.name == name }
  }
}

/// A contestant's times in nanoseconds per pebble, or the reason for their absence. Unless noted
/// otherwise, a time is the CPU time of all threads.
struct ContestantResult: Codable, Sendable {
  let name: String
  /// The time to define and run the workload, and to read the report.
  var total: Spread?
  /// The total as wall-clock time.
  var wall: Spread?
  var define: Spread?
  var run: Spread?
  var report: Spread?
  /// The time taken to release all objects. The other times do not include it.
  var release: Spread?
  /// The ratios of the pond's total to the total of this contestant, one per round.
  var ratio: Spread?
  /// The same ratios for wall-clock times, one per round.
  var wallRatio: Spread?
  /// The reason for the absence of times; `nil` if the contestant was measured.
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
