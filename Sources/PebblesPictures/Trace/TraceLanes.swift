import Pebbles
import PebblesAnalysis

/// Lanes for the pebbles of a run, as few as there can be: those of one lane never overlap, which
/// viewers of traces demand of a thread.
struct TraceLanes {
  /// What a pebble takes of its lane, in nanoseconds; one at least, for what takes none is not
  /// shown, and nothing can point to it.
  private(set) var slices: [Int: Range<UInt64>] = [:]

  /// By pebble that ran, its lane, from 1.
  private(set) var lanes: [Int: Int] = [:]

  private(set) var count = 0

  private struct Lane: Comparable {
    let end: UInt64
    let number: Int

    static func < (one: Lane, other: Lane) -> Bool {
      (one.end, one.number) < (other.end, other.number)
    }
  }

  /// - Parameters:
  ///   - facts: The run.
  ///   - order: Its pebbles, by start.
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
