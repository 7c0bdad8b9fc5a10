/// The shapes of graph that are measured.
public enum Shape: String, CaseIterable, Codable, Sendable {
  /// Nothing waits for anything.
  case independent
  /// Every pebble waits for the one before it.
  case chain
  /// Layers of 100; every pebble waits for 3 random ones of the layer before.
  case layers
  /// Every pebble enables two others.
  case tree
  /// One pebble enables two, both of which enable the next one.
  case ladder
  /// Every pebble is an OR of two ANDs over earlier outcomes, and a tenth of the bodies fail.
  case randomBoolean = "random-boolean"
  /// 200 pebbles as a program would boot: 30 chains of sleeps, and joins between them.
  case boot

  /// Whether the shape exists at every size; `boot` is as it is.
  public var isScalable: Bool {
    switch self {
    case .independent, .chain, .layers, .tree, .ladder, .randomBoolean: true
    case .boot: false
    }
  }

  /// Whether it waits only for successes, all of them, which is all that most peers can express.
  public var isConjunctive: Bool {
    switch self {
    case .independent, .chain, .layers, .tree, .ladder, .boot: true
    case .randomBoolean: false
    }
  }
}
