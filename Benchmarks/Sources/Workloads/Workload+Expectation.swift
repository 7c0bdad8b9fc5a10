extension Workload {
  /// Returns the expected ending of every pebble. A single pass is sufficient, because pebbles
  /// follow their predecessors.
  public func endings() -> [Ending] {
    var endings: [Ending] = []
    endings.reserveCapacity(count)
    for index in 0..<count {
      let runs = conditionHolds(for: index) { endings[$0] }
      endings.append(runs ? (fails[index] ? .failed : .succeeded) : .skipped)
    }
    return endings
  }

  /// Returns whether a pebble runs, given the endings of its predecessors.
  @inlinable
  public func conditionHolds(for pebble: Int, ending: (Int) -> Ending) -> Bool {
    let range = atoms(of: pebble)
    guard !range.isEmpty else { return true }
    guard !shape.isConjunctive else {
      return range.allSatisfy { ending(Int(predecessors[$0])) == .succeeded }
    }
    func holds(_ atom: Int) -> Bool {
      awaited[atom].holds(after: ending(Int(predecessors[atom])))
    }
    let first = range.lowerBound
    return holds(first) && holds(first + 1) || holds(first + 2) && holds(first + 3)
  }

  /// Returns the length of the longest path through the graph, given the duration of each pebble.
  public func longestPath(_ durations: [Duration]) -> Duration {
    var finished: [Duration] = []
    for index in 0..<count {
      let start = predecessors(of: index).map { finished[Int($0)] }.max() ?? .zero
      finished.append(start + durations[index])
    }
    return finished.max() ?? .zero
  }
}
