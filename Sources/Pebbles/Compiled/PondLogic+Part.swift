extension PondLogic {
  /// The logic of some pebbles alone, as of a pond of their own. Handles and conditions of the
  /// whole pond mean them as well. The goal is left out if it is about others.
  ///
  /// - Parameter subset: The pebbles; what they mention is among them, see `subset(for:)`.
  /// - Returns: Their logic; they stand in the same order, without gaps.
  /// - Complexity: O(pebbles + atoms).
  package func part(_ subset: Set<Int>) -> PondLogic {
    let pebbles = subset.sorted()
    let places = Dictionary(
      uniqueKeysWithValues: pebbles.enumerated().map { (UInt32($1), UInt32($0)) })
    let part = PondDefinition(
      partOf: graph.definition, places, pebbleCount: graph.names.count,
      maxConcurrent: properties.limits.maxConcurrent, properties.failurePolicy)
    // Its conditions mention it: it would keep itself alive.
    defer { part.discard() }
    part.setCases(
      graph.cases.reduce(into: [:]) { cases, known in
        if let place = places[UInt32(known.key)] { cases[Int(place)] = known.value }
      })
    var relocation = Relocation(from: graph.definition, to: part, places)
    let capacities = capacities
    // Nodes are told apart by identity, so they have to stay while they are moved.
    var originals: [Condition] = []
    func moved(_ condition: Condition) -> Condition {
      originals.append(condition)
      return relocation.moved(condition)
    }
    for pebble in pebbles {
      part.append(
        graph.names[pebble], needs: graph.impliedCondition(of: pebble).map(moved),
        when: moved(graph.givenCondition(of: pebble)),
        properties.pebbles[UInt32(pebble)]?.saying(capacities))
    }
    part.setClusters(graph.clusters(of: pebbles))
    if asksGoal(of: subset) { part.setGoal(graph.goal.map(moved)) }
    return withExtendedLifetime(originals) { Program(part).pond }
  }

  /// How many units there are of each resource, which one of several pebbles may have said.
  private var capacities: [ResourceKey: Int] {
    properties.pebbles.values.reduce(into: [:]) { capacities, pebble in
      for use in pebble.uses {
        if let capacity = use.capacity { capacities[use.key] = capacity }
      }
    }
  }
}

extension PebbleProperties {
  /// The same where each use says how much there is of what it uses.
  fileprivate func saying(_ capacities: [ResourceKey: Int]) -> PebbleProperties {
    var properties = self
    properties.uses = uses.map { use in
      ResourceUse(key: use.key, capacity: capacities[use.key], units: use.units)
    }
    return properties
  }
}

extension PondGraph {
  /// The clusters that some pebbles, ascending, are in, as they stand by themselves.
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
  /// Where the first of the elements, ascending, stands that is not less than a number.
  fileprivate func firstPlace(from number: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
