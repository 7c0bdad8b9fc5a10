import Pebbles

/// The time that a run and its pebbles may take: a value that a run passes or fails, for continuous
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
/// A budget is about time, not about success: a pebble that fails early is within it.
/// `Report.check()` checks that failures were handled.
public struct Budget: Sendable {
  /// The lines of the budget.
  public let lines: [Line]

  /// Creates a budget with these lines. A run must keep to all of them.
  public init(_ lines: Line...) {
    self.init(lines)
  }

  /// Creates a budget with these lines. A run must keep to all of them.
  public init(_ lines: [Line]) {
    self.lines = lines
  }

  /// Throws an error unless the run kept to the budget.
  ///
  /// - Throws: ``BudgetError`` with a sentence for each broken line. A line that cannot be checked
  ///   is broken too: a line about a pebble that the run does not have or that was skipped, about
  ///   the makespan of a run that was cancelled, or with an invalid limit.
  /// - Complexity: O(pebbles + lines), and O(pebbles) for each baseline.
  public func check(_ run: RecordedRun) throws(BudgetError) {
    let durations = PebbleDurations(run)
    let violations = lines.compactMap { $0.violation(run, durations) }
    guard violations.isEmpty else {
      throw BudgetError(pondName: run.model.name, violations: violations)
    }
  }

  /// Throws an error unless the run kept to the budget.
  ///
  /// - Throws: ``BudgetError`` under the same conditions as for recorded runs.
  /// - Complexity: O(pebbles + lines), and O(pebbles) for each baseline.
  public func check(_ report: Report) throws(BudgetError) {
    try check(report.recorded())
  }
}
