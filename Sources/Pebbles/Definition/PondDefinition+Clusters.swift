extension PondDefinition {
  /// Adds copies of all current pebbles of another definition, in one step.
  ///
  /// - Returns: The positions of the copies; empty if `other` has no pebbles. If `other` cannot be
  ///   copied, the result is empty as well, and a fault is recorded.
  /// - Complexity: O(*p* + *a*), where *p* is the number of pebbles and *a* the number of atoms in
  ///   `other`.
  func append(_ other: PondDefinition, as name: String, _ traits: [PebbleTrait]) -> Range<Int> {
    guard other !== self else { return refuse(name, .isWithinItself) }
    // Takes one lock after the other, because two ponds may be added to each other at once.
    let contents = other.snapshot()
    let names = contents.names.map {
      // An empty name stays empty, so that it is still reported as a fault.
      $0.isEmpty ? $0 : PondCluster.name($0, inside: name)
    }
    // Released after the lock: this may be the last reference to a condition, which may hold user
    // code.
    return withExtendedLifetime(contents) {
      let pebbles = state.withLock {
        $0.append(contents, called: names, as: name, traits, to: self)
      }
      return pebbles ?? refuse(name, .isTooLarge)
    }
  }

  private func refuse(_ name: String, _ refusal: PondCluster.Refusal) -> Range<Int> {
    state.withLock { state in
      let end = state.names.count
      state.clusters.append(
        PondCluster(
          name: name, shortName: name, pebbles: end..<end, parent: nil, maxConcurrent: nil,
          refusal: refusal))
      state.revision += 1
      return end..<end
    }
  }
}

extension PondDefinition.State {
  /// Adds copies of the pebbles in a snapshot, as a cluster.
  ///
  /// - Returns: The positions of the copies; `nil` if there is no room for them.
  fileprivate mutating func append(
    _ contents: DefinitionSnapshot, called copies: [String], as name: String,
    _ traits: [PebbleTrait], to definition: PondDefinition
  ) -> Range<Int>? {
    guard conditions.hasRoom(for: contents.conditions) else { return nil }
    let start = names.count
    let source = contents.definition
    var relocation = Relocation(
      from: source, to: definition, offset: start, count: copies.count, cases: contents.cases)
    for (position, copy) in copies.enumerated() {
      names.append(copy)
      bodies.append(contents.bodies.address(of: position).pointee.copy(movedBy: &relocation))
    }
    let moved = conditions.append(
      contentsOf: contents.conditions, needs: contents.needs, of: definition,
      movedBy: &relocation)
    needs.merge(moved) { _, new in new }
    append(
      contents.options.mapValues { $0.moved(by: &relocation) }, at: start..<names.count,
      around: contents.pondOptions.around, inheriting: traits)

    for (pebble, cases) in contents.cases { self.cases[UInt32(start) + pebble] = cases }

    let cluster = PondCluster(
      name: name, shortName: name, pebbles: start..<names.count, parent: nil,
      maxConcurrent: contents.pondOptions.maxConcurrent)
    let number = clusters.count
    clusters.append(cluster)
    clusters += contents.clusters.map { $0.moved(into: cluster, number: number) }
    revision += 1
    return cluster.pebbles
  }

  private mutating func append(
    _ copied: [UInt32: PebbleOptions], at pebbles: Range<Int>, around: [Around],
    inheriting traits: [PebbleTrait]
  ) {
    let start = UInt32(pebbles.lowerBound)
    if around.isEmpty, traits.isEmpty {
      for (pebble, copy) in copied { options[start + pebble] = copy }
      return
    }
    let others = PebbleOptions.none.surrounded(by: around, inheriting: traits)
    for pebble in 0..<UInt32(pebbles.count) {
      let copy = copied[pebble]?.surrounded(by: around, inheriting: traits)
      options[start + pebble] = copy ?? others
    }
  }
}
