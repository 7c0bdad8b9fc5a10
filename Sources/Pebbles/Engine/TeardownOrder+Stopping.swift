extension TeardownOrder {
  /// Returns the same steps in an order that tears down some pebbles before others, regardless of
  /// which pebbles enabled which.
  ///
  /// Normally, the step of a pebble comes after the steps of the pebble's dependents. In the new
  /// order, the step of a pebble that goes first no longer waits for those dependents with which it
  /// would form a cycle. Every cycle leads through a pebble that goes first, so no cycle is left.
  ///
  /// - Parameter order: For each pebble that goes first, the pebbles that are torn down after it.
  ///   Must not contain a cycle.
  /// - Returns: The reordered steps.
  /// - Complexity: O(*n* log *n*), where *n* is the number of steps and links.
  func stopping(before order: [Int: [Int]]) -> TeardownOrder {
    var steps: [Int: Int] = [:]
    for case (let step, let pebble?) in pebbles.enumerated() { steps[pebble] = step }
    var first: [Int: [Int]] = [:]
    for (pebble, later) in order {
      guard let step = steps[pebble] else { continue }
      for target in later.compactMap({ steps[$0] }) { first[target, default: []].append(step) }
    }
    guard !first.isEmpty else { return self }

    let earlier = pebbles.indices.map { Array(dependents(of: $0)) }
    var search = StronglyConnectedComponents(nodeCount: pebbles.count)
    search.search(from: pebbles.indices)
    let all = pebbles.indices.map { earlier[$0] + (first[$0] ?? []).sorted() }
    while search.next(along: { all[$0].indices.contains($1) ? all[$0][$1] : nil }) != nil {}
    let goFirst = Set(first.values.joined())
    let kept = pebbles.indices.map { step in
      let own = earlier[step].filter {
        !goFirst.contains(step) || search.component(of: $0) != search.component(of: step)
      }
      return Set(own + (first[step] ?? [])).sorted()
    }
    return sorted(waitingFor: kept)
  }

  /// Returns the steps, sorted so that each step comes after the steps that it waits for. Apart
  /// from that, the steps keep their order.
  private func sorted(waitingFor earlier: [[Int]]) -> TeardownOrder {
    var openCounts = earlier.map(\.count)
    var later: [[Int]] = Array(repeating: [], count: earlier.count)
    for (step, others) in earlier.enumerated() {
      for other in others { later[other].append(step) }
    }
    var free = BinaryHeap<Int>()
    for step in openCounts.indices where openCounts[step] == 0 { free.insert(step) }
    var places = Array(repeating: 0, count: earlier.count)
    var sorted = TeardownOrder()
    while let step = free.popMin() {
      places[step] = sorted.pebbles.count
      sorted.append(pebbles[step], after: earlier[step].map { places[$0] }.sorted())
      for other in later[step] {
        openCounts[other] -= 1
        if openCounts[other] == 0 { free.insert(other) }
      }
    }
    assert(sorted.pebbles.count == pebbles.count, "steps of a teardown wait for each other")
    return sorted
  }
}
