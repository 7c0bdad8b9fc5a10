/// What a definition was copied from, whole or in part. Handles and conditions of the original mean
/// the pebbles of the copy as well.
struct OriginalDefinition: Sendable {
  let definition: PondDefinition
  let pebbleCount: UInt32

  /// Where its pebbles stand in the copy; `nil` if all are there and stand where they do in it.
  var places: [UInt32: UInt32]?

  fileprivate func place(of index: UInt32) -> UInt32? {
    guard let places else { return index < pebbleCount ? index : nil }
    return places[index]
  }

  /// The same, for a copy of part of the copy.
  func part(_ part: [UInt32: UInt32]) -> OriginalDefinition {
    var original = self
    original.places =
      places?.compactMapValues { part[$0] } ?? part.filter { $0.key < pebbleCount }
    return original
  }
}

extension PondDefinition {
  /// Whether a pebble is one of this definition, or of one that this is a whole copy of, so that it
  /// stands here where it stands there.
  ///
  /// - Complexity: O(1); O(copies of copies) for a pebble of another definition.
  package func includes(_ pebble: PebbleReference) -> Bool {
    pebble.definition === self || pebble.index < sharedCount(with: pebble.definition)
  }

  /// Where a pebble stands here: one of this definition, or of one that this is a copy of.
  ///
  /// - Complexity: O(1); O(copies of copies) for a pebble of another definition.
  package func place(of pebble: PebbleReference) -> UInt32? {
    if pebble.definition === self { return pebble.index }
    return originals.first { $0.definition === pebble.definition }?.place(of: pebble.index)
  }

  /// Whether the other definition is this one, or one that this is a copy of.
  package func isDescended(from other: PondDefinition) -> Bool {
    other === self || originals.contains { $0.definition === other }
  }

  /// How many pebbles of another definition stand here where they stand there.
  func sharedCount(with other: PondDefinition) -> UInt32 {
    if other === self { return .max }
    guard let original = originals.first(where: { $0.definition === other }),
      original.places == nil
    else { return 0 }
    return original.pebbleCount
  }
}
