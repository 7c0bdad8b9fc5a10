import PebblesTestSupport

/// All endings of a reference pond under the policy that cancels, by going through all schedules:
/// which body ends next, and how, and at which moment after a failure that nobody handles the run
/// is cut off.
struct CancelledEndings {
  /// Those of runs that are cut off as soon as they may be.
  private(set) var prompt: Set<[ReferenceOutcome]> = []

  /// Those of runs that are cut off at whatever moment, the prompt ones among them.
  private(set) var all: Set<[ReferenceOutcome]> = []

  init(_ pond: ReferencePond) {
    // Which cycles are skipped in one stall is not said anywhere.
    for goesOn in [false, true] { follow(ReferenceRun(pond, goesOnInStalls: goesOn)) }
  }

  private mutating func follow(_ beginning: ReferenceRun) {
    let rule = NaiveHandling(beginning.pond)
    var known: Set<Moment> = []
    var pending = [(run: beginning, isLate: false)]
    while let (run, isLate) = pending.popLast() {
      guard known.insert(Moment(run, isLate)).inserted else { continue }
      let isUnhandled = run.outcomes.indices.contains {
        run.outcomes[$0] == .failed && !rule.mayBeHandled($0, run.outcomes)
      }
      if isUnhandled {
        for ending in Self.endings(of: run) {
          all.insert(ending)
          if !isLate { prompt.insert(ending) }
        }
      } else if run.running.isEmpty {
        let ending = run.outcomes.compactMap(\.self).map(\.withoutWaits)
        all.insert(ending)
        prompt.insert(ending)
      }
      for pebble in run.running {
        for succeeded in [true, false] {
          var next = run
          next.finish(pebble, succeeded: succeeded)
          pending.append((next, isLate || isUnhandled))
        }
      }
    }
  }

  /// What runs at the cut ends either way, or was only ready and never starts; nor does what waits.
  private static func endings(of run: ReferenceRun) -> [[ReferenceOutcome]] {
    var endings = [run.outcomes.map { $0?.withoutWaits ?? .skipped(.condition) }]
    for pebble in run.running {
      endings += endings.flatMap { ending in
        [ReferenceOutcome.succeeded, .failed].map { outcome in
          var other = ending
          other[pebble] = outcome
          return other
        }
      }
    }
    return endings
  }

  private struct Moment: Hashable {
    let outcomes: [ReferenceOutcome?]
    let running: Set<Int>
    let isLate: Bool

    init(_ run: ReferenceRun, _ isLate: Bool) {
      outcomes = run.outcomes
      running = run.running
      self.isLate = isLate
    }
  }
}
