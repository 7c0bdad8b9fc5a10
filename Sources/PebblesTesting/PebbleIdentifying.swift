import Pebbles
import PebblesAnalysis

/// What says which pebble is meant: a handle, whatever its output is, or a name.
///
/// ```swift
/// try await pond.simulate(failing: [ping, cores, "cache/open"])
/// ```
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

/// Finds the pebbles that are meant in one definition.
struct PebblePositions {
  private let graph: PondGraph

  /// The positions by name, made when first needed.
  private var positions: [String: Int]?

  init(_ graph: PondGraph) {
    self.graph = graph
  }

  /// - Throws: What is wrong with it, as a sentence.
  mutating func position(of pebble: some PebbleIdentifying) throws(UnknownPebble) -> Int {
    switch pebble.pebbleID.kind {
    case .handle(let reference):
      let position = Int(reference.index)
      guard reference.definition === graph.definition else {
        throw UnknownPebble(
          "\(reference.name.swiftLiteral) is a pebble of the pond "
            + "\(reference.definition.pondName.swiftLiteral), not of this one")
      }
      guard position < graph.names.count else {
        throw UnknownPebble("\(reference.name.swiftLiteral) was added to the pond later")
      }
      return position
    case .name(let name):
      if let position = index()[name] { return position }
      throw UnknownPebble("no pebble is named \(name.swiftLiteral)")
    }
  }

  private mutating func index() -> [String: Int] {
    if let positions { return positions }
    let made = Dictionary(
      zip(graph.names, graph.names.indices), uniquingKeysWith: { first, _ in first })
    positions = made
    return made
  }
}

/// Why a pebble that was meant is not there, as a sentence.
struct UnknownPebble: Error {
  let sentence: String

  init(_ sentence: String) {
    self.sentence = sentence
  }
}
