/// The order in which pebbles settled in one run: each has a position of its own, from 1 on, all
/// drawn from one counter.
///
/// A pebble draws before its outcome can be seen. So whatever started or was skipped because of
/// others has a higher position than they have, however many runners there were, and what enabled
/// what can never form a cycle. Times cannot stand in for it: they tie.
package struct SettleOrder: Sendable {
  /// By pebble; without meaning for one that has not settled.
  package let pebbles: [UInt32]

  /// For each cycle of pebbles that waited for each other, in ascending order, the last position
  /// before it was skipped.
  package let cycles: [UInt32]

  package init(pebbles: [UInt32], cycles: [UInt32] = []) {
    self.pebbles = pebbles
    self.cycles = cycles
  }

  /// The last position before a pebble that was skipped in a cycle, and all those in it with it.
  ///
  /// - Complexity: O(log *n*) for *n* cycles.
  package func beginningOfCycle(of pebble: Int) -> UInt32 {
    var range = cycles.startIndex..<cycles.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if cycles[middle] < pebbles[pebble] {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound == 0 ? 0 : cycles[range.lowerBound - 1]
  }
}

extension SettleOrder {
  /// The order of a run that was not asked to note it: by the times at which pebbles settled; at
  /// the same time, what was skipped after what decided that, and else in definition order.
  ///
  /// What an AND waited for is told by the outcomes alone; the order only tells which operand of an
  /// OR was the first.
  ///
  /// - Complexity: O(*n* log *n*) for *n* pebbles.
  init(byTimesOf state: ReadinessState) {
    var pebbles = Array(repeating: UInt32(0), count: state.pebbleCount)
    let times = (0..<state.pebbleCount).map { state.finishTime(of: $0) }
    var depths: [Int: Int] = [:]
    for pebble in times.indices {
      var chain: [Int] = []
      var next: Int? = pebble
      while let current = next, depths[current] == nil, chain.count <= times.count {
        chain.append(current)
        next = state.cause(of: current)
      }
      var depth = next.flatMap { depths[$0] } ?? 0
      for current in chain.reversed() {
        depth += 1
        depths[current] = depth
      }
    }
    let order = times.indices.sorted {
      (times[$0], depths[$0, default: 0], $0) < (times[$1], depths[$1, default: 0], $1)
    }
    for (position, pebble) in order.enumerated() { pebbles[pebble] = UInt32(position + 1) }
    self.init(pebbles: pebbles)
  }
}
