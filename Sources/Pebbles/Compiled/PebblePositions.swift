extension PondGraph {
  /// Returns the position of a pebble in definition order; `nil` if the graph does not contain the
  /// pebble.
  ///
  /// - Complexity: O(1) for a pebble of the graph's own definition; otherwise O(*n*), where *n* is
  ///   the number of originals of that definition.
  package func position(of pebble: PebbleReference) -> Int? {
    guard let place = definition.place(of: pebble), place < names.count else { return nil }
    return Int(place)
  }

  /// Returns the position, in definition order, of a pebble given by handle or by name; `nil` if
  /// the graph does not contain the pebble.
  ///
  /// - Complexity: O(pebbles) if the pebble is given by name; otherwise the same as for the other
  ///   overload.
  package func position(of pebble: some PebbleIdentifying) -> Int? {
    switch pebble.pebbleID.kind {
    case .handle(let reference): position(of: reference)
    case .name(let name): names.firstIndex(of: name)
    }
  }
}

/// A value that looks up the positions of many pebbles in one definition or one recorded run.
package struct PebblePositions {
  private let graph: PondGraph

  /// Whether handles are looked up by the names of their pebbles, as in a recorded run.
  private let knowsNamesOnly: Bool

  /// The positions by name; `nil` until they are first needed.
  private var positions: [String: Int]?

  package init(_ graph: PondGraph, knowsNamesOnly: Bool = false) {
    self.graph = graph
    self.knowsNamesOnly = knowsNamesOnly
  }

  /// Returns the position of a pebble in definition order.
  ///
  /// - Throws: `UnknownPebbleError` if the graph does not contain the pebble.
  /// - Complexity: O(pebbles) for the first pebble that is looked up by name, otherwise O(1).
  package mutating func position(
    of pebble: some PebbleIdentifying
  ) throws(UnknownPebbleError) -> Int {
    switch pebble.pebbleID.kind {
    case .name(let name): return try position(named: name)
    case .handle(let reference) where knowsNamesOnly: return try position(named: reference.name)
    case .handle(let reference):
      guard let position = graph.position(of: reference) else { throw graph.error(for: pebble) }
      return position
    }
  }

  /// Returns the positions, in definition order, of several pebbles.
  ///
  /// - Throws: `UnknownPebbleError` if any of the pebbles is not in the graph.
  package mutating func positions(
    of pebbles: [any PebbleIdentifying]
  ) throws(UnknownPebbleError) -> Set<Int> {
    var positions: Set<Int> = []
    for pebble in pebbles { positions.insert(try position(of: pebble)) }
    return positions
  }

  private mutating func position(named name: String) throws(UnknownPebbleError) -> Int {
    let known =
      positions
      ?? Dictionary(zip(graph.names, graph.names.indices), uniquingKeysWith: { first, _ in first })
    positions = known
    guard let position = known[name] else { throw PondGraph.error(forName: name) }
    return position
  }
}
