import Pebbles

/// The pebbles of a definition, to be found by their names.
struct NamedPebbles {
  let names: [String]
  private let definition: PondDefinition
  private let positions: [String: Int]

  /// - Complexity: O(pebbles).
  init(_ names: some Sequence<String>, of definition: PondDefinition) {
    self.names = Array(names)
    self.definition = definition
    positions = Dictionary(zip(self.names, 0...)) { first, _ in first }
  }

  subscript(name: String) -> PebbleReference? {
    positions[name].map { PebbleReference(definition: definition, index: UInt32($0)) }
  }
}

extension PondModel {
  var namedPebbles: NamedPebbles { NamedPebbles(pond.graph.names, of: pond.graph.definition) }
}
