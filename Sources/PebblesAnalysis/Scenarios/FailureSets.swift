/// Sets of failing bodies that lead to something, smallest first.
public struct FailureSets: Sendable, Hashable {
  /// The names of the pebbles that fail, in definition order, for each set. No set contains another
  /// one. A set without names says that no failure is needed.
  public let sets: [[String]]

  /// Whether these are all.
  public let isComplete: Bool
}

extension FailureSets: CustomStringConvertible {
  /// A line per set.
  public var description: String {
    var lines = sets.map { names in
      names.isEmpty
        ? "no failure is needed"
        : names.map { $0.singleLine.truncated(to: 60) }.joined(separator: ", ")
    }
    if lines.isEmpty && isComplete { lines = ["no failures lead there"] }
    if !isComplete { lines.append("… and perhaps more") }
    return lines.joined(separator: "\n")
  }
}
