import Pebbles

/// What says which pebble is meant: a handle, whatever its output is, or a name. Wherever a pebble
/// is named, in this module and in `PebblesTesting`, either will do.
///
/// ```swift
/// try pond.scenarios().ending(failing: [ping, cores, "cache/open"])
/// ```
///
/// A handle means its own pebble, and no other of the same name. Only a ``RecordedRun`` knows no
/// handles, as it may come from another process or another version of the pond: there a handle
/// stands for its name.
public protocol PebbleIdentifying: Sendable {
  /// Which pebble is meant.
  var pebbleID: PebbleID { get }
}

/// Which pebble is meant, by its handle or by its name.
public struct PebbleID: PebbleIdentifying, Hashable, CustomStringConvertible {
  enum Kind: Hashable {
    case handle(PebbleReference)
    case name(String)
  }

  let kind: Kind

  /// Itself.
  public var pebbleID: PebbleID { self }

  /// The name of the pebble.
  public var description: String {
    switch kind {
    case .handle(let reference): reference.name
    case .name(let name): name
    }
  }
}

extension Pebble: PebbleIdentifying {
  /// This pebble, and no other of the same name.
  public var pebbleID: PebbleID { PebbleID(kind: .handle(reference)) }
}

extension String: PebbleIdentifying {
  /// The pebble of this name.
  public var pebbleID: PebbleID { PebbleID(kind: .name(self)) }
}

/// A pebble was named that is not there: it belongs to another pond, was added later, or nobody has
/// this name.
public struct UnknownPebbleError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pebble.
  public let name: String

  /// What is wrong, as a sentence.
  public let description: String
}

/// Finds the pebbles that are meant in one definition, or in one recorded run.
package struct PebblePositions {
  private let graph: PondGraph

  /// Whether a handle stands for its name.
  private let knowsNamesOnly: Bool

  /// The positions by name, made when first needed.
  private var positions: [String: Int]?

  package init(_ graph: PondGraph) {
    self.graph = graph
    knowsNamesOnly = false
  }

  init(_ run: RecordedRun) {
    graph = run.model.pond.graph
    knowsNamesOnly = true
  }

  /// Where a pebble stands in definition order.
  ///
  /// - Complexity: O(1); for the first one by name, O(pebbles).
  package mutating func position(
    of pebble: some PebbleIdentifying
  ) throws(UnknownPebbleError) -> Int {
    switch pebble.pebbleID.kind {
    case .handle(let reference) where !knowsNamesOnly: return try position(of: reference)
    case .handle(let reference): return try position(named: reference.name)
    case .name(let name): return try position(named: name)
    }
  }

  /// Where pebbles stand in definition order.
  mutating func positions(
    of pebbles: [any PebbleIdentifying]
  ) throws(UnknownPebbleError) -> Set<Int> {
    var positions: Set<Int> = []
    for pebble in pebbles { positions.insert(try position(of: pebble)) }
    return positions
  }

  private func position(of reference: PebbleReference) throws(UnknownPebbleError) -> Int {
    let (name, pond) = (reference.name, reference.definition.pondName)
    guard reference.definition === graph.definition else {
      throw UnknownPebbleError(
        name: name,
        description: "\(name.swiftLiteral) is a pebble of the pond \(pond.swiftLiteral), "
          + "not of this one")
    }
    guard reference.index < graph.names.count else {
      throw UnknownPebbleError(
        name: name, description: "\(name.swiftLiteral) was added to the pond later")
    }
    return Int(reference.index)
  }

  private mutating func position(named name: String) throws(UnknownPebbleError) -> Int {
    let known =
      positions
      ?? Dictionary(zip(graph.names, graph.names.indices), uniquingKeysWith: { first, _ in first })
    positions = known
    if let position = known[name] { return position }
    throw UnknownPebbleError(
      name: name, description: "no pebble is named \(name.swiftLiteral)")
  }
}

extension Report {
  /// Where a pebble stands in definition order.
  ///
  /// - Complexity: O(1); by name, O(pebbles).
  package func position(of pebble: some PebbleIdentifying) throws(UnknownPebbleError) -> Int {
    var positions = PebblePositions(storage.pond.graph)
    return try positions.position(of: pebble)
  }
}
