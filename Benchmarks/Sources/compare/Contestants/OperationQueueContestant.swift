import Foundation
import Workloads

/// A contestant that uses Foundation's `OperationQueue`, with a `BlockOperation` per pebble and
/// dependencies between the operations. The queue reports only that it has finished, and bodies can
/// neither fail nor suspend.
struct OperationQueueContestant: Contestant {
  let name = "OperationQueue"

  func refusal(of workload: Workload) -> String? {
    switch workload.shape {
    case .independent, .chain, .layers, .tree, .ladder: nil
    case .randomBoolean: "cannot express it"
    case .boot: "cannot suspend"
    }
  }

  func run(_ workload: Workload, tally: Tally) async throws -> Phases {
    runBlocking(workload, tally: tally)
  }

  private func runBlocking(_ workload: Workload, tally: Tally) -> Phases {
    let start = Moment.now
    var operations: [Operation] = []
    operations.reserveCapacity(workload.count)
    for index in 0..<workload.count {
      let operation = BlockOperation { tally.increment() }
      for predecessor in workload.predecessors(of: index) {
        operation.addDependency(operations[Int(predecessor)])
      }
      operations.append(operation)
    }
    let queue = OperationQueue()
    let defined = Moment.now
    queue.addOperations(operations, waitUntilFinished: true)
    let ran = Moment.now
    withExtendedLifetime((queue, operations)) {}
    return Phases(define: defined - start, run: ran - defined)
  }
}
