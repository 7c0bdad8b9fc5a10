import Pebbles
import PebblesAnalysis

/// An assignment of a run's pebbles to as few lanes as possible. Trace viewers show a lane as a
/// thread, and a pebble as a slice of that thread. The slices of a thread must not overlap, so
/// pebbles that run at the same time are in different lanes.
struct TraceLanes {
  /// The time ranges that pebbles occupy in their lanes, in nanoseconds, keyed by the position of
  /// the pebble. Each range has a length of at least 1: viewers do not show empty slices, and
  /// arrows cannot point to them.
  private(set) var slices: [Int: Range<UInt64>] = [:]

  /// The lane numbers of the pebbles that ran, starting at 1, keyed by the position of the pebble.
  private(set) var lanes: [Int: Int] = [:]

  private(set) var count = 0

  private struct Lane: Comparable {
    let end: UInt64
    let number: Int

    static func < (one: Lane, other: Lane) -> Bool {
      (one.end, one.number) < (other.end, other.number)
    }
  }

  /// Assigns pebbles to lanes.
  ///
  /// - Parameters:
  ///   - facts: The facts of the run.
  ///   - order: The pebbles of the run, in the order in which they started.
  /// - Complexity: O(*n* log *n*) for *n* pebbles.
  init(_ facts: RunFacts, in order: [Int]) {
    var busy = BinaryHeap<Lane>()
    var free = BinaryHeap<Int>()
    for pebble in order where facts.run.pebbles[pebble].outcome.isCompleted {
      let begin = facts.begin(of: pebble)
      let slice = begin..<max(facts.end(of: pebble), begin.addingSaturated(1))
      while let first = busy.min, first.end <= begin {
        _ = busy.popMin()
        free.insert(first.number)
      }
      let lane = free.popMin() ?? count + 1
      count = max(count, lane)
      slices[pebble] = slice
      lanes[pebble] = lane
      busy.insert(Lane(end: slice.upperBound, number: lane))
    }
  }
}
