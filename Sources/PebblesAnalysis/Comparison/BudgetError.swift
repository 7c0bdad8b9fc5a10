import Pebbles

/// An error thrown if a run did not keep to a ``Budget``.
public struct BudgetError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pond.
  public let pondName: String

  /// A sentence for each broken line; at least one.
  public let violations: [String]

  /// A heading with the name of the pond, and all sentences, one per line.
  public var description: String {
    let heading = "the pond \(pondName.shortLiteral) did not keep to its budget:"
    return ([heading] + violations.map { "  - \($0)" }).joined(separator: "\n")
  }
}
