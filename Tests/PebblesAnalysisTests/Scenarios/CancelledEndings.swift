import Pebbles
import PebblesTestSupport

/// All endings of a reference pond under the policy that cancels the run, found by trying all
/// schedules. A schedule chooses which body ends next, how it ends, and which cases hold. If a
/// failure that no pebble handles cancels the run, it also chooses which ready pebbles have not
/// started. A stall is settled only in a run that has not been cancelled.
struct CancelledEndings {
  private(set) var all: Set<ReferenceEnding> = []

  /// The number of different states in which a run can be.
  private(set) var momentCount = 0

  /// Finds all endings of a pond.
  ///
  /// - Parameters:
  ///   - pond: The pond.
  ///   - optional: The pebbles that may be disabled.
  init(_ pond: ReferencePond, optional: [Int] = []) {
    for number in 0..<1 << optional.count {
      let chosen = pond.disabling(
        optional.enumerated().filter { number >> $0.offset & 1 == 1 }.map(\.element))
      var beginnings = [ReferenceRun(chosen, skipsCyclesInOneStall: true, waitsAtRest: true)]
      for pebble in pond.given.sorted() {
        beginnings = beginnings.flatMap { run in
          pond.decisions(of: pebble).map { decision in
            var next = run
            next.finish(pebble, succeeded: true, cases: decision.cases)
            return next
          }
        }
      }
      follow(beginnings, NaiveHandling(chosen))
    }
  }

  private mutating func follow(_ beginnings: [ReferenceRun], _ rule: NaiveHandling) {
    var known: Set<Moment> = []
    var pending = beginnings
    while var run = pending.popLast() {
      guard known.insert(Moment(run)).inserted else { continue }
      if run.running.isEmpty {
        run.settleStall()
        if rule.leavesFailure(run) {
          // Before anything starts.
          all.insert(run.ending)
          continue
        }
        if run.running.isEmpty {
          all.insert(run.ending)
          continue
        }
      }
      for pebble in run.running {
        for decision in run.pond.decisions(of: pebble) {
          var next = run
          next.finish(pebble, succeeded: decision.succeeds, cases: decision.cases)
          if rule.leavesFailure(next) {
            // What has become ready just now does not start.
            all.formUnion(Self.endings(of: next, run.running.subtracting([pebble])))
          } else {
            pending.append(next)
          }
        }
      }
    }
    momentCount += known.count
  }

  /// Returns the endings of a run that is cancelled now. A running pebble may succeed or fail, or
  /// may only have been ready and never start. Waiting pebbles never start.
  private static func endings(
    of run: ReferenceRun, _ running: Set<Int>
  ) -> [ReferenceEnding] {
    var endings = [run.ending]
    for pebble in running {
      endings = endings.flatMap { ending in
        run.pond.decisions(of: pebble).map { decision in
          var other = ending
          other.outcomes[pebble] = decision.succeeds ? .succeeded : .failed
          other.held[pebble] = decision.cases
          return other
        } + [ending]
      }
    }
    return endings
  }

  private struct Moment: Hashable {
    let outcomes: [ReferenceOutcome?]
    let held: [Set<PebbleCase>]
    let running: Set<Int>

    init(_ run: ReferenceRun) {
      outcomes = run.outcomes
      held = run.held
      running = run.running
    }
  }
}

extension ReferencePond {
  /// Returns a copy of the pond in which the given pebbles are disabled. Their conditions are false
  /// and read nothing.
  func disabling(_ pebbles: [Int]) -> ReferencePond {
    var pond = self
    for pebble in pebbles { pond.conditions[pebble] = .constant(false) }
    return pond
  }
}

extension ReferenceOutcome {
  /// The outcome without the reason for a skip.
  var withoutReason: ReferenceOutcome {
    switch self {
    case .succeeded, .failed: self
    case .skipped: .skipped(.condition)
    }
  }
}

extension ReferenceRun {
  /// The ending of the run if no other pebble starts.
  fileprivate var ending: ReferenceEnding {
    ReferenceEnding(outcomes.map { $0?.withoutReason ?? .skipped(.condition) }, held: held)
  }
}
