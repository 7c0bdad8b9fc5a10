/// A graph of the decisions that led to some rows of the network. It contains these rows, the rows
/// that decided them, and so on.
package struct DecisionGraph {
  /// The rows, sorted so that each row comes after all rows that it decided. Rows that decided each
  /// other in a cycle, and the rows that led to them, are left out. No real run has such a cycle.
  package private(set) var rows: [Int] = []

  /// The number of rows, including those that `rows` leaves out because of a cycle.
  package private(set) var count = 0

  let rowCount: Int
  private var ranges: [Range<Int>]
  private var links: [Int] = []

  /// Creates the graph of the decisions that led to the given rows.
  ///
  /// - Parameters:
  ///   - rows: The rows to begin with.
  ///   - history: The decisions of the run.
  /// - Complexity: O(rows + edges).
  package init(from rows: some Sequence<Int>, _ history: DecisionHistory) {
    rowCount = history.state.network.rowCount
    ranges = Array(repeating: 0..<0, count: rowCount)
    var isKnown = Array(repeating: false, count: rowCount)
    var openCounts = Array(repeating: 0, count: rowCount)

    var found: [Int] = []
    for row in rows where !isKnown[row] {
      isKnown[row] = true
      found.append(row)
    }
    var next = 0
    while next < found.count {
      let deciders = history.rows(deciding: found[next])
      ranges[found[next]] = links.count..<links.count + deciders.count
      links += deciders
      for decider in deciders {
        openCounts[decider] += 1
        guard !isKnown[decider] else { continue }
        isKnown[decider] = true
        found.append(decider)
      }
      next += 1
    }
    count = found.count
    sort(found, &openCounts)
  }

  /// Sorts the rows by adding each one to the list as soon as the list contains all rows that it
  /// decided (Kahn, *Topological sorting of large networks*, 1962).
  private mutating func sort(_ found: [Int], _ openCounts: inout [Int]) {
    rows = found.filter { openCounts[$0] == 0 }
    var next = 0
    while next < rows.count {
      for decider in deciders(of: rows[next]) {
        openCounts[decider] -= 1
        if openCounts[decider] == 0 { rows.append(decider) }
      }
      next += 1
    }
  }

  /// Returns the rows that decided a row.
  package func deciders(of row: Int) -> ArraySlice<Int> { links[ranges[row]] }

  func flags(for rows: [Int]) -> [Bool] {
    var flags = Array(repeating: false, count: rowCount)
    for row in rows { flags[row] = true }
    return flags
  }

  /// Returns a copy of the flags in which all rows that the flagged rows decided, directly or
  /// indirectly, are flagged as well.
  func rowsDecided(by flags: [Bool]) -> [Bool] {
    var decided = flags
    for row in rows.reversed() where !decided[row] {
      decided[row] = deciders(of: row).contains { decided[$0] }
    }
    return decided
  }
}
