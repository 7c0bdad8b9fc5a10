import PebblesTestSupport

/// All endings of a reference pond under the policy that cancels, by going through all schedules:
/// which body ends next, and how, and at which moment after a failure that nobody handles the run is
/// cut off.
struct CancelledEndings {
  /// Those of runs that are cut off as soon as they may be.
  private(set) var prompt: Set<[ReferenceOutcome]> = []

  /// Those of runs that are cut off at whatever moment, the prompt ones among them.
  private(set) var all: Set<[ReferenceOutcome]> = []

  init(_ pond: ReferencePond) {
    // Which knots are skipped in one stall is not said anywhere.
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

/// Who handles a failure, written for obviousness.
private struct NaiveHandling {
  /// By pebble that is read and pebble that reads it, the atoms: what they accept.
  private var atoms: [Int: [Int: [(ReferenceOutcome) -> Bool]]] = [:]

  init(_ pond: ReferencePond) {
    for (reader, condition) in pond.conditions.enumerated() {
      note(condition, isNegated: false, reader: reader)
    }
  }

  private mutating func note(_ formula: ReferencePond.Formula, isNegated: Bool, reader: Int) {
    switch formula {
    case .constant, .predicate: break
    case .atom(let pebble, let kind, let isAtomNegated):
      atoms[pebble, default: [:]][reader, default: []].append {
        kind.accepts($0) != (isAtomNegated != isNegated)
      }
    case .not(let operand): note(operand, isNegated: !isNegated, reader: reader)
    case .shared(_, let operand): note(operand, isNegated: isNegated, reader: reader)
    case .all(let operands), .any(let operands):
      for operand in operands { note(operand, isNegated: isNegated, reader: reader) }
    }
  }

  func mayBeHandled(_ pebble: Int, _ outcomes: [ReferenceOutcome?]) -> Bool {
    var known: Set<Int> = [pebble]
    func isHandled(_ pebble: Int) -> Bool {
      guard let outcome = outcomes[pebble] else { return true }
      return atoms[pebble, default: [:]].contains { reader, atoms in
        switch outcomes[reader] {
        case nil, .succeeded, .failed: true
        case .skipped:
          atoms.contains { !$0(outcome) } && known.insert(reader).inserted && isHandled(reader)
        }
      }
    }
    return isHandled(pebble)
  }
}
