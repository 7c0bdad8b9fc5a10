extension Pond {
  /// Returns the names of the pebbles in a run that is limited to the given targets.
  ///
  /// The result contains the targets and everything that they need, directly or indirectly. A
  /// pebble needs all pebbles that its condition, inputs and `restartsWith` traits mention,
  /// including those that the condition negates.
  ///
  /// ```swift
  /// print(try pond.subset(for: [web]))  // ["database", "migrate", "web"]
  /// let report = try await pond.run(only: [web])
  /// ```
  ///
  /// - Parameter targets: The pebbles to which the run is limited.
  /// - Returns: The names of the pebbles, in definition order.
  /// - Throws: ``UnknownPebbleError`` for the first target that the pond does not have.
  /// - Complexity: O(pebbles + atoms).
  public func subset(
    for targets: [any PebbleIdentifying]
  ) throws(UnknownPebbleError) -> [String] {
    let program = program()
    var positions = PebblePositions(program.pond.graph)
    let subset = program.subset(for: try positions.positions(of: targets))
    return subset.sorted().map { program.pond.graph.names[$0] }
  }
}

extension Program {
  package func subset(for targets: Set<Int>) -> Set<Int> {
    pond.subset(for: targets) { families.leaders[$0, default: []] }
  }
}

extension PondLogic {
  /// Returns the positions of the targets to which a run is limited.
  ///
  /// - Throws: ``PondError`` if `targets` is empty, or names pebbles that the pond does not have;
  ///   the error lists all such pebbles.
  package func positions(of targets: [any PebbleIdentifying]) throws(PondError) -> Set<Int> {
    var positions = PebblePositions(graph)
    var found: Set<Int> = []
    var faults: [PondError.Fault] = []
    for target in targets {
      do {
        found.insert(try positions.position(of: target))
      } catch {
        faults.append(.invalidRun(problem: "is limited to an unknown pebble: \(error)"))
      }
    }
    if targets.isEmpty {
      faults.append(.invalidRun(problem: "is limited to no pebble: `only:` must name one or more"))
    }
    guard faults.isEmpty else { throw PondError(pondName: graph.pondName, faults: faults) }
    return found
  }
}
