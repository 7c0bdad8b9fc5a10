import CTaskGraph
import Workloads

/// A contestant that uses oneTBB's `flow::graph`, with a `continue_node` per pebble. The graph
/// reports only that it has ended, and its bodies can neither fail nor suspend.
struct OneTBBContestant: Contestant {
  let name = "oneTBB"

  static let installation = """
    oneTBB is not installed. On Debian and Ubuntu: apt-get install libtbb-dev, then \
    swift package --package-path Benchmarks clean, and run this again.
    """

  /// The version of oneTBB with which this program was compiled; `nil` if oneTBB was not installed.
  static var version: String? {
    task_graph_version().map { String(cString: $0) }
  }

  func refusal(of workload: Workload) -> String? {
    if Self.version == nil { return "not installed" }
    switch workload.shape {
    case .independent, .chain, .layers, .tree, .ladder: return nil
    case .randomBoolean: return "cannot express it"
    case .boot: return "cannot suspend"
    }
  }

  func run(_ workload: Workload, tally: Tally) async throws -> Phases {
    let measurement = workload.offsets.withUnsafeBufferPointer { offsets in
      workload.predecessors.withUnsafeBufferPointer { predecessors in
        // There is always an offset, even without pebbles.
        offsets.baseAddress.map {
          task_graph_run($0, predecessors.baseAddress, Int32(workload.count))
        }
      }
    }
    guard let measurement else { return Phases() }
    tally.add(Int(measurement.executed))
    return Phases(define: Time(measurement.define), run: Time(measurement.run))
  }
}

extension Time {
  fileprivate init(_ time: TaskGraphTime) {
    self.init(cpu: .nanoseconds(time.cpu), wall: .nanoseconds(time.wall))
  }
}
