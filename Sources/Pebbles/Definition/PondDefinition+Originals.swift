/// What a definition was copied from. The pebbles that there were then stand in the copy where they
/// stand there, so handles and conditions of the original mean the copies as well.
struct OriginalDefinition: Sendable {
  let definition: PondDefinition
  let pebbleCount: UInt32
}

extension PondDefinition {
  /// Whether a pebble is one of this definition, or of one that this is a copy of.
  ///
  /// - Complexity: O(1); O(copies of copies) for a pebble of another definition.
  package func includes(_ pebble: PebbleReference) -> Bool {
    pebble.definition === self || pebble.index < sharedCount(with: pebble.definition)
  }

  /// Whether the other definition is this one, or one that this is a copy of.
  package func isDescended(from other: PondDefinition) -> Bool {
    other === self || originals.contains { $0.definition === other }
  }

  /// How many pebbles of another definition stand here where they stand there.
  func sharedCount(with other: PondDefinition) -> UInt32 {
    if other === self { return .max }
    return originals.first { $0.definition === other }?.pebbleCount ?? 0
  }
}
