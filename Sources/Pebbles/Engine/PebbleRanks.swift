/// In which order ready pebbles go if not all can: those of higher priority first, then those with
/// the longest remaining path, then in definition order.
///
/// To start the longest path first is the critical path rule of list scheduling (Graham, *Bounds on
/// multiprocessing timing anomalies*, 1969).
package struct PebbleRanks: Sendable {
  /// For each pebble its place in the order, from 0.
  package let ranks: [UInt32]

  /// - Parameters:
  ///   - network: The pond.
  ///   - priorities: The priorities of pebbles that have one; 0 for the others.
  ///   - durations: For each pebble how long it ran in an earlier run, in nanoseconds; without
  ///     them remaining paths do not count.
  /// - Complexity: O(pebbles) without priorities and durations, else O(gates + edges) and sorting
  ///   the pebbles.
  package init(
    _ network: ReadinessNetwork, priorities: [UInt32: Int] = [:], durations: [UInt64]? = nil
  ) {
    let pebbles = 0..<UInt32(network.pebbleCount)
    guard !priorities.isEmpty || durations != nil else {
      ranks = Array(pebbles)
      return
    }
    let paths = durations.map { LongestPaths(network, durations: $0) }
    let ranked = pebbles.map { pebble in
      Standing(
        priority: priorities[pebble] ?? 0, remaining: paths?.lengths[Int(pebble)] ?? 0,
        pebble: pebble)
    }
    var ranks = Array(pebbles)
    for (rank, standing) in ranked.sorted().enumerated() {
      ranks[Int(standing.pebble)] = UInt32(rank)
    }
    self.ranks = ranks
  }

  /// What decides between pebbles. The better is the lesser.
  private struct Standing: Comparable {
    let priority: Int
    let remaining: UInt64
    let pebble: UInt32

    static func < (one: Standing, other: Standing) -> Bool {
      (other.priority, other.remaining, one.pebble) < (one.priority, one.remaining, other.pebble)
    }
  }
}
