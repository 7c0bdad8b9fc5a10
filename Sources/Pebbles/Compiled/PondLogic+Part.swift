extension PondLogic {
  /// Returns the logic of a subset of the pebbles, as if they were a separate pond. The handles and
  /// conditions of the whole pond can also be used with the returned logic. The goal is omitted if
  /// it mentions a pebble outside of the subset.
  ///
  /// - Parameter subset: The pebbles, including every pebble that one of them mentions; see
  ///   `subset(for:)`.
  /// - Returns: The logic of these pebbles, in the same order and without gaps.
  /// - Complexity: O(pebbles + atoms).
  package func part(_ subset: Set<Int>) -> PondLogic {
    let pebbles = subset.sorted()
    let places = Dictionary(
      uniqueKeysWithValues: pebbles.enumerated().map { (UInt32($1), UInt32($0)) })
    let part = PondDefinition(
      partOf: graph.definition, places, pebbleCount: graph.names.count,
      maxConcurrent: properties.limits.maxConcurrent, properties.failurePolicy)
    // The conditions of the new definition retain the definition, so it would never be released.
    defer { part.discard() }
    part.setCases(
      graph.cases.reduce(into: [:]) { cases, known in
        if let place = places[UInt32(known.key)] { cases[Int(place)] = known.value }
      })
    var relocation = Relocation(from: graph.definition, to: part, places)
    let capacities = capacities
    // Nodes are identified by address, so all of them must stay alive until everything has been
    // moved.
    var originals: [Condition] = []
    func moved(_ condition: Condition) -> Condition {
      originals.append(condition)
      return relocation.moved(condition)
    }
    for pebble in pebbles {
      part.append(
        graph.names[pebble], needs: graph.impliedCondition(of: pebble).map(moved),
        when: moved(graph.givenCondition(of: pebble)),
        properties.pebbles[UInt32(pebble)]?.withCapacities(capacities))
    }
    part.setClusters(graph.clusters(of: pebbles))
    if goal(in: subset) != nil { part.setGoal(graph.goal.map(moved)) }
    return withExtendedLifetime(originals) { Program(part).pond }
  }

  /// The capacity of each resource. A capacity stated by one pebble applies to all pebbles that use
  /// the resource.
  private var capacities: [ResourceKey: Int] {
    properties.pebbles.values.reduce(into: [:]) { capacities, pebble in
      for use in pebble.uses {
        if let capacity = use.capacity { capacities[use.key] = capacity }
      }
    }
  }
}

extension PebbleProperties {
  /// Returns the same properties, except that every use states the capacity of its resource.
  fileprivate func withCapacities(_ capacities: [ResourceKey: Int]) -> PebbleProperties {
    var properties = self
    properties.uses = uses.map { use in
      ResourceUse(key: use.key, capacity: capacities[use.key], units: use.units)
    }
    return properties
  }
}

extension PondGraph {
  /// Returns the clusters that contain any of the given pebbles, restricted to these pebbles. The
  /// pebbles must be in ascending order.
  fileprivate func clusters(of pebbles: [Int]) -> [PondCluster] {
    var numbers: [Int: Int] = [:]
    var parts: [PondCluster] = []
    for (number, cluster) in clusters.enumerated() {
      let start = pebbles.firstPlace(from: cluster.pebbles.lowerBound)
      let end = pebbles.firstPlace(from: cluster.pebbles.upperBound)
      guard start < end else { continue }
      numbers[number] = parts.count
      parts.append(
        PondCluster(
          name: cluster.name, shortName: cluster.shortName, pebbles: start..<end,
          parent: cluster.parent.flatMap { numbers[$0] }, maxConcurrent: cluster.maxConcurrent))
    }
    return parts
  }
}

extension [Int] {
  /// Returns the position of the first element that is not less than a number; `count` if all
  /// elements are less. The elements must be in ascending order.
  fileprivate func firstPlace(from number: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
