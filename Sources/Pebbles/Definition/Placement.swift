/// Where a body that was copied from definition to definition finds the pebbles it mentions.
///
/// A body knows its inputs as pebbles of the definition that it was made for. For that one, and for
/// every other one it has come through, this says from where on its pebbles stand now. Pebbles of
/// the definition that runs stand where they are.
final class Placement: Sendable {
  private struct Place {
    let definition: PondDefinition

    /// How many of its pebbles are meant, from the first on.
    let pebbleCount: UInt32
    let start: Int
  }

  /// From the definition that the body was made for outwards.
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

  /// A body of a copy mentions pebbles of the original, which stand at the same places; but not
  /// those that the original was given later, which are pebbles of another pond like any other.
  private static func places(of definition: PondDefinition, at start: Int) -> [Place] {
    [Place(definition: definition, pebbleCount: .max, start: start)]
      + definition.originals.map {
        Place(definition: $0.definition, pebbleCount: $0.pebbleCount, start: start)
      }
  }

  func position(of pebble: PebbleReference) -> Int {
    knownPosition(of: pebble) ?? Int(pebble.index)
  }

  /// Where a pebble stands of a definition that the body has come through; `nil` for any other.
  func knownPosition(of pebble: PebbleReference) -> Int? {
    let place = places.first {
      $0.definition === pebble.definition && pebble.index < $0.pebbleCount
    }
    return place.map { Int(pebble.index) + $0.start }
  }
}
