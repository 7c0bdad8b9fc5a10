import Pebbles

/// When each row of the network was decided in a replay: a pebble when it settled, a gate right
/// behind the last of those that decided it.
struct DecisionOrder {
  /// All rows that were decided, each after those that decided it.
  private(set) var rows: [Int] = []

  /// By row, a position in the order of settling, from 0; `undecided` for those that were not.
  private var positions: [UInt32]

  private static let undecided = UInt32.max

  /// - Parameters:
  ///   - order: In which pebbles settled.
  ///   - enabling: Which rows decided which.
  /// - Complexity: O(pebbles + atoms).
  init(_ order: SettleOrder, _ enabling: DecisionHistory) {
    let state = enabling.state
    positions = Array(repeating: Self.undecided, count: state.network.rowCount)
    let decided = (0..<state.network.rowCount).filter { row in
      switch state.network.kind(ofRow: row) {
      case .pebble: state.status(of: row).isSettled
      case .pebbleCase, .gate: state.value(ofGate: row) != nil
      }
    }
    for row in DecisionGraph(from: decided, enabling).rows.reversed() {
      let own = row < order.pebbles.count ? order.pebbles[row] : 0
      positions[row] = enabling.rows(deciding: row).reduce(own) { max($0, positions[$1]) }
      rows.append(row)
    }
    sort()
  }

  /// The same order, but for pebbles that settled in it before one of those that decided them: they
  /// come right behind that one.
  ///
  /// - Complexity: O(rows).
  func settling(_ order: SettleOrder) -> SettleOrder {
    var (pebbles, cycles) = (order.pebbles, [UInt32]())
    var last: UInt32 = 0
    for row in rows where row < pebbles.count {
      while cycles.count < order.cycles.count, order.cycles[cycles.count] < positions[row] {
        cycles.append(last)
      }
      last += 1
      pebbles[row] = last
    }
    while cycles.count < order.cycles.count { cycles.append(last) }
    return SettleOrder(pebbles: pebbles, cycles: cycles)
  }

  /// Whether a row was decided when the first positions, up to this one, had been drawn.
  func isDecided(_ row: Int, upTo position: UInt32) -> Bool { positions[row] <= position }

  /// Counting sort, which keeps the order of those at one position.
  private mutating func sort() {
    let last = rows.reduce(0) { max($0, positions[$1]) }
    var places = [Int](repeating: 0, count: Int(last) + 2)
    for row in rows { places[Int(positions[row]) + 1] += 1 }
    for position in 0...Int(last) { places[position + 1] += places[position] }
    var sorted = [Int](repeating: 0, count: rows.count)
    for row in rows {
      sorted[places[Int(positions[row])]] = row
      places[Int(positions[row])] += 1
    }
    rows = sorted
  }
}
