/// The teardown order of a run. Each pebble is torn down after the pebbles that it enabled in the
/// run.
///
/// ```
/// database ──▶ migrate ──▶ fallback        migrate has no teardown, and may even have failed:
///                                          fallback is nevertheless torn down before database
/// ```
///
/// The order is a graph of *steps*. Most steps tear one pebble down. The others only connect steps,
/// which keeps the graph small. Suppose that a thousand pebbles enabled one pebble without a
/// teardown, and that this pebble enabled a thousand others. With a connecting step, the graph has
/// two thousand links. Without it, the graph would have a million. A connecting step has at least
/// two dependents, and at least one pebble is torn down after it.
///
/// Every step comes after its dependents in the list, so there is no cycle.
package struct TeardownOrder: Sendable {
  /// The pebble that each step tears down; `nil` for a step that only connects other steps.
  package private(set) var pebbles: [Int?] = []

  /// The position of each step's first link: the dependents of step *s* are
  /// `links[offsets[s] ..< offsets[s + 1]]`.
  private var offsets = [0]
  private var links: [Int] = []

  /// Creates an order without steps.
  package init() {}

  /// Creates the order in which pebbles are torn down.
  ///
  /// - Parameters:
  ///   - candidates: The pebbles that have run and have something to tear down, in any order.
  ///   - history: The history of the run, which shows the pebbles that enabled each pebble.
  /// - Complexity: O(*n* log *n*), where *n* is the number of pebbles and atoms, because the
  ///   dependents of each step are sorted. The order has O(*n*) links.
  package init(of candidates: some Sequence<Int>, _ history: DecisionHistory) {
    let candidates = Array(candidates)
    let graph = DecisionGraph(from: candidates, history)
    assert(graph.rows.count == graph.count, "pebbles enabled each other in a cycle")
    let tearsDown = graph.flags(for: candidates)
    let isAfterTeardown = graph.rowsDecided(by: tearsDown)

    // A row comes after all rows that it decided, so its dependents are complete.
    var dependents: [[Int]] = Array(repeating: [], count: graph.rowCount)
    for row in graph.rows where isAfterTeardown[row] {
      let own = Set(dependents[row]).sorted()
      dependents[row] = []
      var step = pebbles.count
      if tearsDown[row] {
        append(row, after: own)
      } else if own.count > 1 {
        append(nil, after: own)
      } else {
        step = own[0]
      }
      for decider in graph.deciders(of: row) where isAfterTeardown[decider] {
        dependents[decider].append(step)
      }
    }
  }

  /// Returns the steps that must end before a step begins, in ascending order and without
  /// duplicates.
  package func dependents(of step: Int) -> ArraySlice<Int> {
    links[offsets[step]..<offsets[step + 1]]
  }

  /// Returns the pebbles whose teardowns wait for the teardown of a pebble, directly or indirectly.
  ///
  /// - Complexity: O(steps + links).
  func pebbles(after pebble: Int) -> [Int] {
    var isAfter = Array(repeating: false, count: pebbles.count)
    for step in pebbles.indices {
      isAfter[step] = dependents(of: step).contains { isAfter[$0] || pebbles[$0] == pebble }
    }
    return pebbles.indices.compactMap { isAfter[$0] ? pebbles[$0] : nil }
  }

  mutating func append(_ pebble: Int?, after dependents: [Int]) {
    pebbles.append(pebble)
    links += dependents
    offsets.append(links.count)
  }
}
