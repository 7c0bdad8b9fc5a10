import Pebbles

/// The order in which a replay makes its decisions. A pebble is decided when it settles. A gate or
/// a case is decided right after the last of the rows that decide it.
struct DecisionOrder {
  /// The decided rows, each after the rows that decided it.
  private(set) var rows: [Int] = []

  /// The positions of the rows in the settling order, indexed by row; `undecided` for an undecided
  /// row. A gate or a case has the position of the last pebble that decided it.
  private var positions: [UInt32]

  private static let undecided = UInt32.max

  /// Creates the order of decisions.
  ///
  /// - Parameters:
  ///   - order: The order in which the pebbles settled.
  ///   - history: The history, with the rows that decided each row.
  /// - Complexity: O(pebbles + atoms).
  init(_ order: SettleOrder, _ history: DecisionHistory) {
    let state = history.state
    positions = Array(repeating: Self.undecided, count: state.network.rowCount)
    let decided = (0..<state.network.rowCount).filter { row in
      switch state.network.kind(ofRow: row) {
      case .pebble: state.status(of: row).isSettled
      case .pebbleCase, .gate: state.value(ofGate: row) != nil
      }
    }
    for row in DecisionGraph(from: decided, history).rows.reversed() {
      let own = row < order.pebbles.count ? order.pebbles[row] : 0
      positions[row] = history.rows(deciding: row).reduce(own) { max($0, positions[$1]) }
      rows.append(row)
    }
    sort()
  }

  /// Returns the settling order without its contradictions. If a pebble precedes any of the pebbles
  /// that decided it, it is moved to just after the last of them.
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

  /// Returns whether a row was decided at or before a position in the settling order.
  func isDecided(_ row: Int, upTo position: UInt32) -> Bool { positions[row] <= position }

  /// Sorts the rows by position with a counting sort, which preserves the order of rows that have
  /// the same position.
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
