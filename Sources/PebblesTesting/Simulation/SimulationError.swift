import Pebbles

/// A simulation was asked for what cannot be meant. Lists every problem, not only the first.
public struct SimulationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pond.
  public let pondName: String

  /// What is wrong, each a sentence; never empty.
  public let problems: [String]

  /// All problems, a line each.
  public var description: String {
    let heading = "the pond \(pondName.swiftLiteral) cannot be simulated in this way:"
    return ([heading] + problems.map { "  - \($0)" }).joined(separator: "\n")
  }
}
