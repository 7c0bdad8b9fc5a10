/// Names a pebble across ponds: the definition it belongs to and its position there.
package struct PebbleReference: Sendable, Hashable {
  package let definition: PondDefinition
  package let index: UInt32

  package init(definition: PondDefinition, index: UInt32) {
    self.definition = definition
    self.index = index
  }

  package var name: String { definition.name(at: Int(index)) }

  package static func == (left: PebbleReference, right: PebbleReference) -> Bool {
    left.index == right.index && left.definition === right.definition
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(definition))
    hasher.combine(index)
  }
}
