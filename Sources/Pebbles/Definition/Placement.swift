/// The positions of the pebbles mentioned by a body that was copied between definitions.
///
/// A body refers to its inputs as pebbles of the definition that it was created for. A placement
/// lists this definition and every definition through which the body was copied, each followed by
/// its originals. Each entry states the new position of the definition's first pebble. Pebbles of
/// the running definition keep their positions.
final class Placement: Sendable {
  private struct Place {
    let definition: PondDefinition

    /// The number of pebbles that have a new position, counted from the first pebble of the
    /// definition.
    let pebbleCount: UInt32
    let start: Int
  }

  /// The entries for the definitions. The definition that the body was created for comes first,
  /// followed by the definitions through which the body was copied, in copying order. Each
  /// definition is followed by its originals.
  private let places: [Place]

  private init(_ places: [Place]) {
    self.places = places
  }

  init(of definition: PondDefinition, at start: Int) {
    places = Self.places(of: definition, at: start)
  }

  func moved(by offset: Int, in definition: PondDefinition) -> Placement {
    let moved = places.map {
      Place(
        definition: $0.definition, pebbleCount: $0.pebbleCount, start: $0.start + offset)
    }
    return Placement(moved + Self.places(of: definition, at: offset))
  }

  /// Returns the entries for a definition and its originals. The originals are needed because
  /// bodies in a copy still refer to pebbles of the original, which have the same positions in the
  /// copy. Pebbles added to the original after it was copied are excluded: they count as pebbles of
  /// another pond.
  private static func places(of definition: PondDefinition, at start: Int) -> [Place] {
    [Place(definition: definition, pebbleCount: .max, start: start)]
      + definition.originals.map {
        Place(definition: $0.definition, pebbleCount: $0.pebbleCount, start: start)
      }
  }

  func position(of pebble: PebbleReference) -> Int {
    knownPosition(of: pebble) ?? Int(pebble.index)
  }

  /// Returns the position of a pebble that belongs to one of the listed definitions; `nil` for any
  /// other pebble.
  func knownPosition(of pebble: PebbleReference) -> Int? {
    let place = places.first {
      $0.definition === pebble.definition && pebble.index < $0.pebbleCount
    }
    return place.map { Int(pebble.index) + $0.start }
  }
}
