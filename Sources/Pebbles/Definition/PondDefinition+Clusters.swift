extension PondDefinition {
  /// Takes in a copy of another definition as it is now, all pebbles at once.
  ///
  /// - Returns: Where the copies stand; empty if there are none, which is then a fault.
  /// - Complexity: O(pebbles + atoms) of `other`.
  func append(_ other: PondDefinition, as name: String) -> Range<Int> {
    guard other !== self else { return refuse(name, .isWithinItself) }
    // One lock after the other: two ponds may be added to each other at the same time.
    let contents = other.snapshot()
    let names = contents.names.map {
      // An empty name stays a fault.
      $0.isEmpty ? $0 : PondCluster.name($0, inside: name)
    }
    // Goes after the lock: it may be the last to hold a condition, and that may hold user code.
    return withExtendedLifetime(contents) {
      let pebbles = state.withLock { $0.append(contents, called: names, as: name, to: self) }
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
  /// - Returns: Where the copies stand, or `nil` if there is no room for them.
  fileprivate mutating func append(
    _ contents: DefinitionSnapshot, called copies: [String], as name: String,
    to definition: PondDefinition
  ) -> Range<Int>? {
    guard conditions.hasRoom(for: contents.conditions) else { return nil }
    let start = names.count
    let source = contents.definition
    var relocation = Relocation(from: source, to: definition, offset: start)
    for (position, copy) in copies.enumerated() {
      names.append(copy)
      bodies.append(contents.bodies.address(of: position).pointee.copy(movedBy: &relocation))
    }
    let moved = conditions.append(
      contentsOf: contents.conditions, needs: contents.needs, of: definition,
      movedBy: &relocation)
    needs.merge(moved) { _, new in new }
    append(contents.options, at: start..<names.count, around: source.options.around)

    let cluster = PondCluster(
      name: name, shortName: name, pebbles: start..<names.count, parent: nil,
      maxConcurrent: source.options.maxConcurrent)
    let number = clusters.count
    clusters.append(cluster)
    clusters += contents.clusters.map { $0.moved(into: cluster, number: number) }
    revision += 1
    return cluster.pebbles
  }

  private mutating func append(
    _ copied: [UInt32: PebbleOptions], at pebbles: Range<Int>, around: [Around]
  ) {
    let start = UInt32(pebbles.lowerBound)
    for (pebble, copy) in copied {
      options[start + pebble] = around.isEmpty ? copy : copy.surrounded(by: around)
    }
    guard !around.isEmpty else { return }
    let others = PebbleOptions.none.surrounded(by: around)
    for pebble in pebbles where options[UInt32(pebble)] == nil { options[UInt32(pebble)] = others }
  }
}
