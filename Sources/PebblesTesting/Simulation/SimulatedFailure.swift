/// The error thrown by a pebble that should fail in a simulation.
public struct SimulatedFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pebble.
  public let pebble: String

  /// The failure as a sentence, the same for all pebbles.
  public var description: String { "it fails in this simulation" }
}
