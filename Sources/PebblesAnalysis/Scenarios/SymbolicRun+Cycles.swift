import Pebbles

/// The rule for pebbles that depend on each other. It alternates between applying Kleene's tables
/// until a fixpoint is reached, and applying the stall rule, until all pebbles are settled in every
/// scenario.
extension SymbolicRun {
  mutating func settleCycle(_ rows: [Int]) throws(DiagramLimitReached) {
    for row in rows { try begin(row) }
    try iterate(rows)
  }

  /// Settles the given rows, starting from their initial values.
  mutating func iterate(_ rows: [Int]) throws(DiagramLimitReached) {
    let members = Set(rows)
    var changed = rows
    while !changed.isEmpty {
      try propagate(from: changed, among: members)
      changed = try resolveStalls(among: rows)
    }
  }

  /// Applies Kleene's tables until a fixpoint is reached.
  private mutating func propagate(
    from rows: [Int], among members: Set<Int>
  ) throws(DiagramLimitReached) {
    var queue = rows
    var queued = Set(rows)
    var next = 0
    while next < queue.count {
      let row = queue[next]
      next += 1
      queued.remove(row)
      guard try update(row) else { continue }
      for dependent in dependents(of: row) where members.contains(dependent) {
        if queued.insert(dependent).inserted { queue.append(dependent) }
      }
    }
  }

  /// Returns the rows that depend on a row.
  private func dependents(of row: Int) -> [Int] {
    model.pond.network.edges(from: row).map(\.gate)
  }

  /// Skips, in every scenario, the pebbles that wait only for themselves or for each other.
  ///
  /// Each step examines one scenario with waiting rows, and finds its cycles with Tarjan's
  /// algorithm. A cycle is a component whose rows wait only for each other. The same rows form a
  /// cycle in all scenarios where every one of them waits and no other row that they depend on
  /// waits. The step settles all these scenarios, and the next step examines one of the remaining
  /// scenarios.
  ///
  /// As in the engine, the order in which the cycles are settled makes no difference, because they
  /// cannot influence each other.
  ///
  /// - Returns: The pebbles that were skipped.
  private mutating func resolveStalls(among rows: [Int]) throws(DiagramLimitReached) -> [Int] {
    try diagram.takeSteps(rows.count)
    var waits: [Int: BooleanFunction] = [:]
    for row in rows { waits[row] = try waiting(row) }
    var unhandled = try diagram.any(
      rows.filter { $0 < pebbleCount }.map { waits[$0, default: .never] })
    var stalled: Set<Int> = []
    while let scenario = diagram.cheapestSolution(of: unhandled, usual: { _ in (true, 1) }) {
      try diagram.takeSteps(rows.count)
      let unusual = Set(scenario)
      let waitingRows = rows.filter { row in
        diagram.value(of: waits[row, default: .never]) { !unusual.contains($0) }
      }
      for cycle in cycles(among: waitingRows) {
        let members = Set(cycle)
        let others = Set(cycle.flatMap(sources(of:))).subtracting(members)
        let isCycle = try diagram.all(
          cycle.map { waits[$0, default: .never] } + others.map { !waits[$0, default: .never] })
        for pebble in cycle where pebble < pebbleCount {
          let known = pebbles[pebble]?.stalled ?? .never
          pebbles[pebble]?.stalled = try diagram.or(known, isCycle)
          stalled.insert(pebble)
        }
        unhandled = try diagram.and(unhandled, !isCycle)
      }
    }
    return stalled.sorted()
  }

  /// Returns the scenarios where a row is undecided. The row of a gate is undecided until the gate
  /// has a value, and the row of a pebble until the pebble has settled.
  private mutating func waiting(_ row: Int) throws(DiagramLimitReached) -> BooleanFunction {
    guard let value = values[row] else { throw DiagramLimitReached() }
    guard row < pebbleCount else { return try diagram.openness(of: value) }
    return !(try outcome(of: row, isIn: .settled))
  }

  /// Returns the components of waiting rows that do not wait for any other component.
  private func cycles(among rows: [Int]) -> [[Int]] {
    let places = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1, $0) })
    let targets = rows.map { sources(of: $0).compactMap { places[$0] } }
    var search = StronglyConnectedComponents(nodeCount: rows.count)
    search.search(from: rows.indices)
    var cycles: [[Int]] = []
    while let component = search.next(along: { targets[$0].count > $1 ? targets[$0][$1] : nil }) {
      let places = search.members[component]
      let home = search.component(of: places[component.lowerBound])
      let isCycle = places.allSatisfy { place in
        targets[place].allSatisfy { search.component(of: $0) == home }
      }
      if isCycle { cycles.append(places.map { rows[$0] }) }
    }
    return cycles
  }
}
