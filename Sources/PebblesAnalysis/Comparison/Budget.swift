import Pebbles

/// How long a run and its pebbles may take: a value that a run passes or not, for continuous
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
/// A budget is about time, not about success: a pebble that fails soon is within it. Whether
/// failures were handled, `Report.check()` tells.
public struct Budget: Sendable {
  /// What may take how long.
  public let lines: [Line]

  /// A budget of these lines; a run must keep to all of them.
  public init(_ lines: Line...) {
    self.init(lines)
  }

  /// A budget of these lines; a run must keep to all of them.
  public init(_ lines: [Line]) {
    self.lines = lines
  }

  /// One thing that may take so long.
  public struct Line: Sendable {
    enum Subject: Sendable {
      case makespan
      case pebble(String)
    }

    enum Limit: Sendable {
      case duration(Duration)
      case factor(Double, of: RecordedRun)
    }

    let subject: Subject
    let limit: Limit

    /// The run may take so long from its start to its end.
    public static func makespan(atMost limit: Duration) -> Line {
      Line(subject: .makespan, limit: .duration(limit))
    }

    /// The run may take so many times as long as an earlier one.
    ///
    /// - Parameters:
    ///   - factor: How many times as long; finite and above zero.
    ///   - baseline: The earlier run.
    /// - Returns: The line.
    public static func makespan(
      atMost factor: Double, timesThatOf baseline: RecordedRun
    ) -> Line {
      Line(subject: .makespan, limit: .factor(factor, of: baseline))
    }

    /// The pebble may take so long, from the first call of its body to its end.
    ///
    /// That it was skipped breaks the line: it is not known how long it takes.
    public static func pebble(
      _ pebble: some PebbleIdentifying, atMost limit: Duration
    ) -> Line {
      Line(subject: .pebble(pebble.pebbleID.description), limit: .duration(limit))
    }

    /// The pebble may take so many times as long as in an earlier run.
    ///
    /// That it was skipped, in either run, breaks the line.
    ///
    /// - Parameters:
    ///   - pebble: The pebble; in each of the runs it is the one of this name.
    ///   - factor: How many times as long; finite and above zero.
    ///   - baseline: The earlier run.
    /// - Returns: The line.
    public static func pebble(
      _ pebble: some PebbleIdentifying, atMost factor: Double, timesThatOf baseline: RecordedRun
    ) -> Line {
      Line(
        subject: .pebble(pebble.pebbleID.description), limit: .factor(factor, of: baseline))
    }
  }

  /// Throws unless the run kept to the budget.
  ///
  /// - Throws: ``BudgetError`` with a sentence for each broken line. A line that cannot be checked
  ///   is broken too: one about a pebble that the run does not have or that was skipped, about the
  ///   makespan of a run that was cancelled, or with a limit that cannot be meant.
  /// - Complexity: O(pebbles + lines), and O(pebbles) for each baseline.
  public func check(_ run: RecordedRun) throws(BudgetError) {
    let durations = PebbleDurations(run)
    let violations = lines.compactMap { $0.violation(run, durations) }
    guard violations.isEmpty else {
      throw BudgetError(pondName: run.model.name, violations: violations)
    }
  }

  /// Throws unless the run kept to the budget.
  ///
  /// - Throws: ``BudgetError``, as for recorded runs.
  /// - Complexity: O(pebbles + lines), and O(pebbles) for each baseline.
  public func check(_ report: Report) throws(BudgetError) {
    try check(report.recorded())
  }
}

/// A run did not keep to a ``Budget``.
public struct BudgetError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the pond.
  public let pondName: String

  /// A sentence for each broken line. Never empty.
  public let violations: [String]

  /// All sentences, a line each.
  public var description: String {
    let heading = "the pond \(pondName.shortLiteral) did not keep to its budget:"
    return ([heading] + violations.map { "  - \($0)" }).joined(separator: "\n")
  }
}
