/// A reference that identifies a pebble by its definition and by its position in that definition.
@usableFromInline
package struct PebbleReference: Sendable, Hashable {
  @usableFromInline package let definition: PondDefinition
  @usableFromInline package let index: UInt32

  @inlinable
  package init(definition: PondDefinition, index: UInt32) {
    self.definition = definition
    self.index = index
  }

  package var name: String { definition.name(at: Int(index)) }

  @usableFromInline
  package static func == (left: PebbleReference, right: PebbleReference) -> Bool {
    left.index == right.index && left.definition === right.definition
  }

  @usableFromInline
  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(definition))
    hasher.combine(index)
  }
}
