import Pebbles

extension Budget {
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
}
