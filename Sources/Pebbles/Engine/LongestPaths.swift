/// The longest paths through a network.
///
/// The longest path from a pebble leads through the pebbles that wait for it. Its length is the sum
/// of the durations along the path: the time from the start of the pebble to the end of the last
/// pebble that depends on it.
///
/// Cycles in conditions would make the longest paths undefined. Therefore, the depth-first search,
/// which starts from each pebble in definition order, ignores edges that lead back into the current
/// path. The remaining graph has no cycle and depends on the definition alone.
struct LongestPaths {
  /// The length of the longest path from each row of the network, in nanoseconds. Lengths are
  /// clamped to `UInt64.max`. The rows of pebbles come first.
  private(set) var lengths: [UInt64]

  private let network: ReadinessNetwork
  private var visits: [Visit]

  /// The number of each row's targets that have been followed so far.
  private var followed: [UInt32]

  /// The current path of the search. Each row after the first is a target of the row before it.
  private var path: [Int] = []

  private enum Visit {
    case new, open, done
  }

  /// Computes the longest path of each row.
  ///
  /// - Parameters:
  ///   - network: The network of the pond.
  ///   - durations: The running time of each pebble, in nanoseconds; 0 for pebbles beyond the end
  ///     of the array.
  /// - Complexity: O(gates + edges).
  init(_ network: ReadinessNetwork, durations: [UInt64]) {
    self.network = network
    lengths = Array(repeating: 0, count: network.rowCount)
    visits = Array(repeating: .new, count: network.rowCount)
    followed = Array(repeating: 0, count: network.rowCount)
    for pebble in 0..<network.pebbleCount where visits[pebble] == .new {
      search(from: pebble, durations)
    }
  }

  /// Searches depth first from a row. While a row is in `path`, `lengths` contains the length of
  /// the longest path found so far for the row, without the duration of the row itself.
  private mutating func search(from start: Int, _ durations: [UInt64]) {
    open(start)
    while let row = path.last {
      if let target = nextTarget(of: row) {
        switch visits[target] {
        case .new: open(target)
        case .open: continue  // closes a cycle
        case .done: lengths[row] = max(lengths[row], lengths[target])
        }
      } else {
        path.removeLast()
        visits[row] = .done
        if row < network.pebbleCount, row < durations.count {
          lengths[row] = lengths[row].addingSaturated(durations[row])
        }
        if let parent = path.last { lengths[parent] = max(lengths[parent], lengths[row]) }
      }
    }
  }

  private mutating func open(_ row: Int) {
    visits[row] = .open
    path.append(row)
  }

  /// Returns the next row that waits for the given row, and counts it as followed. Returns `nil` if
  /// all rows that wait for the given row have been followed.
  private mutating func nextTarget(of row: Int) -> Int? {
    let place = followed[row]
    followed[row] += 1
    let (start, end) = (network.offsets[row], network.offsets[row + 1])
    return place < end - start ? network.edges[Int(start + place)].gate : nil
  }
}
