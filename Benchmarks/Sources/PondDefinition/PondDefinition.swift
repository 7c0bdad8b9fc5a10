import Pebbles
import Workloads

/// Defines a workload as a pond, using only the public interface.
///
/// If `cases` is `true`, a pebble that waits for exactly one other pebble waits for a case of that
/// pebble's success. The case always holds.
public func definePond(
  _ workload: Workload, tally: Tally, sleepLog: SleepLog? = nil, cases: Bool = false
) -> Pond {
  let pond = Pond("benchmark")
  var pebbles: [Pebble<Void>] = []
  pebbles.reserveCapacity(workload.count)
  let conditions = Conditions(workload, cases: cases)
  let (names, fails) = (workload.names, workload.fails)

  for index in 0..<workload.count {
    let condition = conditions.condition(of: index, over: pebbles)
    if let sleepLog {
      let duration = workload.sleeps[index]
      pebbles.append(
        pond.pebble(names[index], when: condition) {
          try await sleepLog.sleep(index, for: duration)
          tally.increment()
        })
    } else if fails[index] {
      pebbles.append(
        pond.pebble(names[index], when: condition) {
          tally.increment()
          throw PlannedFailure()
        })
    } else {
      pebbles.append(pond.pebble(names[index], when: condition) { tally.increment() })
    }
  }
  return pond
}

/// The conditions of a workload. The arrays of the workload are stored here, because reading them
/// from the workload each time would distort the measurement.
private struct Conditions {
  private let offsets: [Int32]
  private let predecessors: [Int32]
  private let awaited: [Workload.Awaited]
  private let cases: Bool

  init(_ workload: Workload, cases: Bool) {
    self.cases = cases
    offsets = workload.offsets
    predecessors = workload.predecessors
    awaited = workload.awaited
  }

  func condition(of index: Int, over pebbles: [Pebble<Void>]) -> Condition {
    let first = Int(offsets[index])
    switch Int(offsets[index + 1]) - first {
    case 0: return .always
    case 1 where cases: return pebbles[Int(predecessors[first])].succeeded("done") { _ in true }
    case 1: return success(first, pebbles)
    case 2: return success(first, pebbles) && success(first + 1, pebbles)
    case 3:
      return success(first, pebbles) && success(first + 1, pebbles) && success(first + 2, pebbles)
    case let count where awaited.isEmpty:
      return .all((first..<first + count).map { success($0, pebbles) })
    default:
      return atom(first, pebbles) && atom(first + 1, pebbles)
        || atom(first + 2, pebbles) && atom(first + 3, pebbles)
    }
  }

  private func success(_ atom: Int, _ pebbles: [Pebble<Void>]) -> Condition {
    pebbles[Int(predecessors[atom])].succeeded
  }

  private func atom(_ atom: Int, _ pebbles: [Pebble<Void>]) -> Condition {
    let pebble = pebbles[Int(predecessors[atom])]
    return switch awaited[atom] {
    case .succeeded: pebble.succeeded
    case .failed: pebble.failed
    case .skipped: pebble.skipped
    case .completed: pebble.completed
    case .settled: pebble.settled
    }
  }
}

/// The number of pebbles with each outcome, as counted from a report or as expected.
public struct OutcomeCounts: Equatable, Sendable {
  /// The number of pebbles whose body returned.
  public private(set) var succeeded = 0
  /// The number of pebbles whose body threw.
  public private(set) var failed = 0
  /// The number of pebbles whose body never started.
  public private(set) var skipped = 0

  /// Counts the outcomes in all records of a report.
  public init(reading report: Report) {
    for record in report.records {
      switch record.outcome {
      case .succeeded: succeeded += 1
      case .failed: failed += 1
      case .skipped: skipped += 1
      }
    }
  }

  /// Counts the outcomes that a report must contain after a run of this workload.
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
