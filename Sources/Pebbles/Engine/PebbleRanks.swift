/// The order in which pebbles start if not all ready pebbles can start at once.
///
/// Pebbles are ordered by descending priority, then by descending length of the remaining path, and
/// then by definition order.
///
/// Starting the longest path first is the critical path rule of list scheduling (Graham, *Bounds on
/// multiprocessing timing anomalies*, 1969).
package struct PebbleRanks: Sendable {
  /// The zero-based position of each pebble in the order.
  package let ranks: [UInt32]

  /// Ranks the pebbles of a pond.
  ///
  /// - Parameters:
  ///   - network: The network of the pond.
  ///   - priorities: The priority of each pebble; 0 for a pebble without an entry.
  ///   - durations: The running time of each pebble in an earlier run, in nanoseconds; `nil` to
  ///     ignore remaining paths.
  /// - Complexity: O(pebbles) without priorities and durations; otherwise O(gates + edges + *n* log
  ///   *n*), where *n* is the number of pebbles.
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

  /// The criteria for ordering pebbles. A pebble that starts earlier compares as less.
  private struct Standing: Comparable {
    let priority: Int
    let remaining: UInt64
    let pebble: UInt32

    static func < (one: Standing, other: Standing) -> Bool {
      (other.priority, other.remaining, one.pebble) < (one.priority, one.remaining, other.pebble)
    }
  }
}
