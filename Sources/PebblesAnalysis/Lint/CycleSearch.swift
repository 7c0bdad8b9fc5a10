/// A search for a shortest cycle of pebbles that wait for each other.
struct CycleSearch {
  let circuit: Circuit

  /// The number of steps in one component after which the search accepts the shortest cycle found
  /// so far.
  private static let mostSteps = 2_000_000

  /// Returns a shortest cycle in a component. If the search takes too many steps, returns the
  /// shortest cycle found so far.
  ///
  /// In the result, each pebble waits for the next, and the last pebble waits for the first. The
  /// first element is the pebble that was defined first.
  ///
  /// - Complexity: O(*p* · *a*) for *p* pebbles and *a* atoms in the component. The number of steps
  ///   is bounded.
  func shortestCycle(in component: [Int]) -> [Int] {
    var best: [Int]?
    var steps = 0
    for start in component where best == nil || steps < Self.mostSteps {
      if let found = cycle(through: start, shorterThan: best?.count, &steps) { best = found }
      if best?.count == 1 { break }
    }
    guard let best, let least = best.min(), let place = best.firstIndex(of: least) else {
      return component
    }
    return Array(best[place...] + best[..<place])
  }

  /// Returns a shortest cycle through a pebble; `nil` if no cycle is shorter than the limit.
  ///
  /// The search is breadth-first over pebbles. Gates do not count toward the length of a cycle, so
  /// the search passes through a gate immediately.
  private func cycle(through start: Int, shorterThan limit: Int?, _ steps: inout Int) -> [Int]? {
    let component = circuit.cycle(of: start)
    var previous: [Int: Int] = [:]
    var level = [start]
    var length = 0
    while !level.isEmpty {
      length += 1
      if let limit, length >= limit { return nil }
      var next: [Int] = []
      var pending = Array(level.reversed())
      while let row = pending.popLast() {
        for target in circuit.rows(awaitedBy: row) {
          steps += 1
          if target == start { return path(from: start, to: row, previous) }
          guard circuit.cycle(of: target) == component, previous[target] == nil else { continue }
          previous[target] = row
          if circuit.isPebble(target) { next.append(target) } else { pending.append(target) }
        }
      }
      level = next
    }
    return nil
  }

  private func path(from start: Int, to end: Int, _ previous: [Int: Int]) -> [Int] {
    var path: [Int] = []
    var row: Int? = end
    while let current = row, current != start {
      if circuit.isPebble(current) { path.append(current) }
      row = previous[current]
    }
    return [start] + path.reversed()
  }
}
