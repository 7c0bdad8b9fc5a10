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

  /// The ending when these bodies fail, if called, and no others.
  func ending(failing failed: Int) -> Ending? {
    endings.first { failed & $0.ran == $0.failed }
  }
}
