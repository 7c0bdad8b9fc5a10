/// A shape of the measured graphs.
public enum Shape: String, CaseIterable, Codable, Sendable {
  /// No pebble waits for another.
  case independent
  /// Every pebble waits for the one before it.
  case chain
  /// Layers of 100 pebbles; every pebble waits for 3 random pebbles of the previous layer.
  case layers
  /// Every pebble enables two others.
  case tree
  /// One pebble enables two others, which together enable the next one.
  case ladder
  /// Every condition is an OR of two ANDs over the outcomes of earlier pebbles, and a tenth of the
  /// bodies fail.
  case randomBoolean = "random-boolean"
  /// A typical boot of 200 pebbles: 30 chains of bodies that sleep, and pebbles that join the
  /// chains.
  case boot

  /// Whether the size of the shape can be chosen. The size of `boot` is fixed.
  public var isScalable: Bool {
    switch self {
    case .independent, .chain, .layers, .tree, .ladder, .randomBoolean: true
    case .boot: false
    }
  }

  /// Whether every pebble waits for the success of all its predecessors. Most peers of the library
  /// support no other conditions.
  public var isConjunctive: Bool {
    switch self {
    case .independent, .chain, .layers, .tree, .ladder, .boot: true
    case .randomBoolean: false
    }
  }
}
