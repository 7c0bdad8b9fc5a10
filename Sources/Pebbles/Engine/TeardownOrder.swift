/// In which order what came up in a run goes down again: the reverse of what really enabled what.
///
/// ```
/// database ──▶ migrate ──▶ fallback        migrate has no teardown, and may even have failed:
///                                          fallback is torn down before database all the same
/// ```
///
/// The order is a graph of *steps*. Most tear one pebble down; some tear nothing down and only
/// stand between others. They keep the graph small: a thousand pebbles that became possible through
/// one without teardown, which needed a thousand others, take two thousand links that way, and a
/// million without it. A step in between has two dependents at least, and leads to a pebble to tear
/// down.
///
/// Every step comes after its dependents in the list, so there is no cycle.
package struct TeardownOrder: Sendable {
  /// The pebble that each step tears down; `nil` for one that only stands between others.
  package private(set) var pebbles: [Int?] = []

  /// The dependents of step *s* are `links[offsets[s] ..< offsets[s + 1]]`.
  private var offsets = [0]
  private var links: [Int] = []

  /// No steps yet.
  package init() {}

  /// The order in which to tear pebbles down.
  ///
  /// - Parameters:
  ///   - candidates: The pebbles that have run and have something to tear down, in any order.
  ///   - enabling: Which pebbles enabled which in the run.
  /// - Complexity: O(pebbles + atoms) links, and nearly as much time: the dependents of a step are
  ///   sorted.
  package init(of candidates: some Sequence<Int>, _ enabling: DecisionHistory) {
    let candidates = Array(candidates)
    let graph = DecisionGraph(from: candidates, enabling)
    assert(graph.rows.count == graph.count, "pebbles enabled each other in a cycle")
    let tearsDown = graph.flags(for: candidates)
    let leadsToTeardown = graph.rowsLeading(to: tearsDown)

    // A row comes after all that it decided, so its dependents are complete.
    var dependents: [[Int]] = Array(repeating: [], count: graph.rowCount)
    for row in graph.rows where leadsToTeardown[row] {
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
      for decider in graph.deciders(of: row) where leadsToTeardown[decider] {
        dependents[decider].append(step)
      }
    }
  }

  /// The steps that must have ended before this one begins, each once, in ascending order.
  package func dependents(of step: Int) -> ArraySlice<Int> {
    links[offsets[step]..<offsets[step + 1]]
  }

  /// The pebbles that are torn down after one, because they wait for it, directly or not.
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
