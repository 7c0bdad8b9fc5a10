/// A definition that was copied to another definition, in whole or in part. Handles and conditions
/// of the original also refer to the pebbles of the copy.
struct OriginalDefinition: Sendable {
  let definition: PondDefinition
  let pebbleCount: UInt32

  /// The positions of the pebbles in the copy, keyed by their positions in the original; `nil` if
  /// the copy contains all pebbles of the original at the same positions.
  var places: [UInt32: UInt32]?

  fileprivate func place(of index: UInt32) -> UInt32? {
    guard let places else { return index < pebbleCount ? index : nil }
    return places[index]
  }

  /// Returns this original, adapted to a definition that contains only some of the copied pebbles.
  /// `part` contains the new positions of these pebbles, keyed by their positions in the copy.
  func restricted(to part: [UInt32: UInt32]) -> OriginalDefinition {
    var original = self
    original.places =
      places?.compactMapValues { part[$0] } ?? part.filter { $0.key < pebbleCount }
    return original
  }
}

extension PondDefinition {
  /// Returns whether a pebble belongs to this definition, or to an original that was copied
  /// completely. Such a pebble has the same position in both definitions.
  ///
  /// - Complexity: O(1) for a pebble of this definition; otherwise O(*n*), where *n* is the number
  ///   of originals.
  package func includes(_ pebble: PebbleReference) -> Bool {
    pebble.definition === self || pebble.index < sharedCount(with: pebble.definition)
  }

  /// Returns the position of a pebble in this definition; `nil` if this definition does not contain
  /// the pebble. The pebble may belong to this definition or to one of its originals.
  ///
  /// - Complexity: O(1) for a pebble of this definition; otherwise O(*n*), where *n* is the number
  ///   of originals.
  package func place(of pebble: PebbleReference) -> UInt32? {
    if pebble.definition === self { return pebble.index }
    return originals.first { $0.definition === pebble.definition }?.place(of: pebble.index)
  }

  /// Returns whether this definition is the given definition or a copy of it.
  package func isDescended(from other: PondDefinition) -> Bool {
    other === self || originals.contains { $0.definition === other }
  }

  /// Returns the number of pebbles of another definition that have the same positions in this
  /// definition. The number is `UInt32.max` if the other definition is this one, and 0 if this
  /// definition is not a complete copy of the other one.
  func sharedCount(with other: PondDefinition) -> UInt32 {
    if other === self { return .max }
    guard let original = originals.first(where: { $0.definition === other }),
      original.places == nil
    else { return 0 }
    return original.pebbleCount
  }
}
