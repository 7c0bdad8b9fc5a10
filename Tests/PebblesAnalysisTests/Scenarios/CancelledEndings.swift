import Pebbles
import PebblesTestSupport

/// All endings of a reference pond under the policy that cancels the run, found by trying all
/// schedules. A schedule chooses the body that ends next, its outcome and the cases that hold. It
/// also chooses the ready pebbles that have not started when an unhandled failure cuts off the run.
/// Stalls are resolved only in a run that is not cut off.
struct CancelledEndings {
  private(set) var all: Set<ReferenceEnding> = []

  /// The number of different states that a run can be in.
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

  /// Returns the endings of a run that is cut off now. Each running pebble ends in any way, or was
  /// only ready and never starts. Waiting pebbles never start.
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
  /// Returns the pond with some pebbles disabled. Their conditions are false constants, which read
  /// no other pebble.
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
  /// The ending of the run if no more pebbles start.
  fileprivate var ending: ReferenceEnding {
    ReferenceEnding(outcomes.map { $0?.withoutReason ?? .skipped(.condition) }, held: held)
  }
}
