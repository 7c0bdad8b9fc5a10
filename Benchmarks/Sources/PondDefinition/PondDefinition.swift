import Pebbles
import Workloads

/// Defines the workload as a pond, through the public interface, the way a user would write it.
public func definePond(_ workload: Workload, tally: Tally, sleepLog: SleepLog? = nil) -> Pond {
  let pond = Pond("benchmark")
  var pebbles: [Pebble<Void>] = []
  pebbles.reserveCapacity(workload.count)
  for index in 0..<workload.count {
    let name = workload.names[index]
    let condition = condition(of: index, in: workload, over: pebbles)
    let pebble =
      if let sleepLog {
        pond.pebble(name, when: condition) { [duration = workload.sleeps[index]] in
          try await sleepLog.sleep(index, for: duration)
          tally.increment()
        }
      } else if workload.fails[index] {
        pond.pebble(name, when: condition) {
          tally.increment()
          throw PlannedFailure()
        }
      } else {
        pond.pebble(name, when: condition) { tally.increment() }
      }
    pebbles.append(pebble)
  }
  return pond
}

private func condition(
  of index: Int, in workload: Workload, over pebbles: [Pebble<Void>]
) -> Condition {
  let range = workload.atoms(of: index)
  guard let first = range.first else { return .always }
  let predecessor = { (atom: Int) in pebbles[Int(workload.predecessors[atom])] }

  guard workload.shape.isConjunctive else {
    let atom = { (atom: Int) in
      switch workload.awaited[atom] {
      case .succeeded: predecessor(atom).succeeded
      case .failed: predecessor(atom).failed
      case .skipped: predecessor(atom).skipped
      case .completed: predecessor(atom).completed
      case .settled: predecessor(atom).settled
      }
    }
    return atom(first) && atom(first + 1) || atom(first + 2) && atom(first + 3)
  }
  return range.dropFirst().reduce(predecessor(first).succeeded) { condition, atom in
    condition && predecessor(atom).succeeded
  }
}

/// How many pebbles ended how: what reading a report comes to.
public struct OutcomeCounts: Equatable, Sendable {
  /// Those whose bodies returned.
  public private(set) var succeeded = 0
  /// Those whose bodies threw.
  public private(set) var failed = 0
  /// Those whose bodies never started.
  public private(set) var skipped = 0

  /// Reads every record of the report.
  public init(reading report: Report) {
    for record in report.records {
      switch record.outcome {
      case .succeeded: succeeded += 1
      case .failed: failed += 1
      case .skipped: skipped += 1
      }
    }
  }

  /// What the report must say.
  public init(expectedOf workload: Workload) {
    for ending in workload.endings() {
      switch ending {
      case .succeeded: succeeded += 1
      case .failed: failed += 1
      case .skipped: skipped += 1
      }
    }
  }
}
