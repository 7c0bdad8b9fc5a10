import PebblesTestSupport

/// All endings of a reference pond, by running it again and again: the bodies that ran are the
/// decisions of a tree, which is walked depth-first.
struct AllEndings {
  struct Ending {
    let outcomes: [ReferenceOutcome]

    /// A bit for each pebble that ran, and for each that failed.
    let ran: Int
    let failed: Int
  }

  private(set) var endings: [Ending] = []

  init(_ pond: ReferencePond) {
    let count = pond.conditions.count
    var pending: [(failed: Int, decided: Int)] = [(0, 0)]
    while let (failed, decided) = pending.popLast() {
      var attempt = pond
      attempt.succeeds = (0..<count).map { failed >> $0 & 1 == 0 }
      var run = ReferenceRun(attempt)
      run.run { $0[0] }
      let ran = run.started.reduce(0) { $0 | 1 << $1 }
      endings.append(
        Ending(outcomes: run.outcomes.compactMap(\.self), ran: ran, failed: failed & ran))
      // Each body that ran and had no decision yet: those started before it succeed, it fails.
      var known = decided
      for pebble in run.started where known >> pebble & 1 == 0 {
        known |= 1 << pebble
        pending.append((failed | 1 << pebble, known))
      }
    }
  }

  /// For each set of bodies, as bits, the ending when they fail, if called, and no others: those
  /// that are not called make no difference.
  func byFailures(among count: Int) -> [Ending] {
    var places = [Int](repeating: 0, count: 1 << count)
    for (place, ending) in endings.enumerated() {
      let free = ~ending.ran & ((1 << count) - 1)
      var subset = free
      while true {
        places[ending.failed | subset] = place
        guard subset > 0 else { break }
        subset = (subset - 1) & free
      }
    }
    return places.map { endings[$0] }
  }
}
