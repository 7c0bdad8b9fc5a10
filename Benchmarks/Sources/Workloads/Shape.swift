/// A shape of the measured graphs.
public enum Shape: String, CaseIterable, Codable, Sendable {
  /// No pebble waits for another.
  case independent
  /// Every pebble waits for the one before it.
  case chain
  /// Layers of 100; every pebble waits for 3 random ones of the previous layer.
  case layers
  /// Every pebble enables two others.
  case tree
  /// One pebble enables two others, which together enable the next one.
  case ladder
  /// Every pebble is an OR of two ANDs over earlier outcomes, and a tenth of the bodies fail.
  case randomBoolean = "random-boolean"
  /// A typical boot of 200 pebbles: 30 chains of sleeps, and joins between them.
  case boot

  /// Whether the shape has a variable size; `boot` has not.
  public var isScalable: Bool {
    switch self {
    case .independent, .chain, .layers, .tree, .ladder, .randomBoolean: true
    case .boot: false
    }
  }

  /// Whether pebbles wait for the success of all predecessors, the only condition that most peers
  /// can express.
  public var isConjunctive: Bool {
    switch self {
    case .independent, .chain, .layers, .tree, .ladder, .boot: true
    case .randomBoolean: false
    }
  }
}
