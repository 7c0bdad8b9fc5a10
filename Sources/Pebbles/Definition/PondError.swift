/// A pond is defined wrongly. Lists every fault, not only the first.
public struct PondError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pond.
  public let pondName: String

  /// What is wrong, in definition order. Never empty.
  public let faults: [Fault]

  package init(pondName: String, faults: [Fault]) {
    self.pondName = pondName
    self.faults = faults
  }

  /// All faults, a line each.
  public var description: String {
    let heading = "the pond \(pondName.swiftLiteral) cannot run:"
    return ([heading] + faults.map { "  - \($0)" }).joined(separator: "\n")
  }
}
