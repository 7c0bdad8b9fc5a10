import Pebbles

/// Pebbles that depend on each other: Kleene's tables to their fixpoint, then the rule of stalls,
/// and again, until in every scenario all are settled.
extension SymbolicRun {
  mutating func settleCycle(_ rows: [Int]) throws(DiagramLimitReached) {
    for row in rows { try begin(row) }
    try iterate(rows)
  }

  /// Settles rows that have the value from before anything was known.
  mutating func iterate(_ rows: [Int]) throws(DiagramLimitReached) {
    let members = Set(rows)
    var changed = rows
    while !changed.isEmpty {
      try propagate(from: changed, among: members)
      changed = try resolveStalls(among: rows)
    }
  }

  /// Kleene's tables, to their fixpoint.
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

  /// The rows that depend on a row.
  private func dependents(of row: Int) -> [Int] {
    model.pond.network.edges(from: row).map(\.gate)
  }

  /// Skips, in every scenario, what waits only on itself.
  ///
  /// One scenario in which something waits is looked at, by Tarjan's algorithm, for the cycles in
  /// it: components that wait only on themselves. Each of them is a cycle in exactly those
  /// scenarios in which all its rows wait, and none of those outside that they depend on. That
  /// takes care of all these scenarios, and so on with one of the rest.
  ///
  /// As in the engine the order in which cycles are skipped makes no difference, since they cannot
  /// influence each other.
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

  /// Where a row is undecided, and can still become decided otherwise than by a stall.
  private mutating func waiting(_ row: Int) throws(DiagramLimitReached) -> BooleanFunction {
    guard let value = values[row] else { throw DiagramLimitReached() }
    guard row < pebbleCount else { return try diagram.openness(of: value) }
    return !(try outcome(of: row, isIn: .settled))
  }

  /// The components of waiting rows that wait for no others.
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
