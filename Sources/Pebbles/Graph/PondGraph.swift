/// A value snapshot of a definition: the names and conditions of its pebbles, in definition order.
package struct PondGraph: Sendable {
  package let definition: PondDefinition
  package let names: [String]

  /// What `when:` gave, or `Pebble.ready` set later.
  package let conditions: [Condition]

  /// What `needs:` implies, for pebbles that have inputs.
  package let needs: [UInt32: Condition]

  package var pondName: String { definition.pondName }

  /// The whole condition of a pebble: what its inputs imply and what it was given.
  package func condition(of pebble: Int) -> Condition {
    guard let implied = needs[UInt32(pebble)] else { return conditions[pebble] }
    guard case .constant(true) = conditions[pebble].expression else {
      return implied && conditions[pebble]
    }
    return implied
  }
}
