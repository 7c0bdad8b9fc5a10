import Pebbles

/// A set of limits on the time that a run and its pebbles may take, for checks in continuous
/// integration.
///
/// ```swift
/// let budget = Budget(
///   .makespan(atMost: .milliseconds(800)),
///   .pebble(.named("loadCores"), atMost: .milliseconds(300)),
///   .makespan(atMost: 1.2, timesThatOf: baseline))
/// try budget.check(report)
/// ```
///
/// A budget limits time, but does not require success: a pebble that fails early can be within its
/// limit. `Report.check()` checks that failures were handled.
public struct Budget: Sendable {
  /// The lines of the budget. Each line limits the time of the run or of one pebble.
  let lines: [Line]

  /// Creates a budget from the given lines. A run is within the budget only if it satisfies every
  /// line.
  public init(_ lines: Line...) {
    self.init(lines)
  }

  /// Creates a budget from an array of lines. A run is within the budget only if it satisfies every
  /// line.
  public init(_ lines: [Line]) {
    self.lines = lines
  }

  /// Throws an error unless a recorded run is within the budget.
  ///
  /// A line with an invalid limit counts as violated. So does a line about a pebble that was
  /// skipped, was kept from an earlier run, or is missing from the run or the baseline. A line
  /// about the makespan counts as violated if the run or the baseline was cancelled.
  ///
  /// - Throws: ``BudgetError`` with a sentence for each violated line.
  /// - Complexity: O(lines + pebbles). The pebbles are those of the run and of the ponds of all
  ///   baselines.
  public func check(_ run: RecordedRun) throws(BudgetError) {
    var pebbles = PebblesByName()
    let violations = lines.compactMap { $0.violation(run, &pebbles) }
    guard violations.isEmpty else {
      throw BudgetError(pondName: run.model.name, violations: violations)
    }
  }

  /// Throws an error unless the run that the report describes is within the budget.
  ///
  /// - Throws: ``BudgetError`` under the same conditions as for recorded runs.
  /// - Complexity: The complexity of `Report.recorded(from:)`, plus O(lines + pebbles). The pebbles
  ///   are those of the run and of the ponds of all baselines.
  public func check(_ report: Report) throws(BudgetError) {
    try check(report.recorded())
  }
}

/// An error thrown when a run is not within a ``Budget``.
public struct BudgetError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pond.
  public let pondName: String

  /// The sentences that describe the violated lines. There is at least one.
  public let violations: [String]

  /// A heading with the name of the pond, followed by the sentences, one per line.
  public var description: String {
    let heading = "the pond \(pondName.shortLiteral) did not keep to its budget:"
    return ([heading] + violations.map { "  - \($0)" }).joined(separator: "\n")
  }
}
