import Pebbles

/// An error that lists all problems with a simulation, not only the first.
public struct SimulationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pond.
  public let pondName: String

  /// The problems, each as a sentence; never empty.
  public let problems: [String]

  /// All problems, one per line.
  public var description: String {
    let heading = "the pond \(pondName.swiftLiteral) cannot be simulated in this way:"
    return ([heading] + problems.map { "  - \($0)" }).joined(separator: "\n")
  }
}
