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
