/// For each pebble the longest time from its start to the end of the last pebble behind it: its own
/// duration and the longest remaining path of those that wait for it.
///
/// Conditions may form cycles, along which there would be no longest path. The network is searched
/// depth first, from each pebble in definition order, and an edge that leads back into the path
/// being searched counts as absent. What is left has no cycle, and depends on the definition alone.
struct LongestPaths {
  /// By row of the network, in nanoseconds; `.max` if it is longer than that. The rows of pebbles
  /// come first.
  private(set) var lengths: [UInt64]

  private let network: ReadinessNetwork
  private var visits: [Visit]

  /// How many targets of each row have been followed.
  private var followed: [UInt32]

  /// The rows whose targets are being followed, each the target of the one before.
  private var path: [Int] = []

  private enum Visit {
    case new, open, done
  }

  /// - Parameters:
  ///   - network: The pond.
  ///   - durations: For each pebble how long it ran, in nanoseconds. What is missing at the end
  ///     counts as 0.
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

  /// While a row is open, its length is that of the longest path found behind it.
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

  /// The next row that waits for this one.
  private mutating func nextTarget(of row: Int) -> Int? {
    let place = followed[row]
    followed[row] += 1
    let (start, end) = (network.offsets[row], network.offsets[row + 1])
    return place < end - start ? network.edges[Int(start + place)].gate : nil
  }
}
