import Pebbles

extension Budget {
  /// A line of a budget: a limit on the time that a run or a pebble takes.
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

    /// Returns a line that limits the makespan: the time from the start of the run to its end.
    public static func makespan(atMost limit: Duration) -> Line {
      Line(subject: .makespan, limit: .duration(limit))
    }

    /// Returns a line that limits the makespan to `factor` times the makespan of an earlier run.
    ///
    /// - Parameters:
    ///   - factor: The factor, which must be finite and above zero.
    ///   - baseline: The earlier run.
    /// - Returns: The line.
    public static func makespan(
      atMost factor: Double, timesThatOf baseline: RecordedRun
    ) -> Line {
      Line(subject: .makespan, limit: .factor(factor, of: baseline))
    }

    /// Returns a line that limits the time of a pebble, from the first call of its body until the
    /// pebble ends.
    ///
    /// The line is violated if the pebble is skipped or is kept from an earlier run, because such a
    /// pebble has no duration.
    public static func pebble(
      _ pebble: some PebbleIdentifying, atMost limit: Duration
    ) -> Line {
      Line(subject: .pebble(pebble.pebbleID.description), limit: .duration(limit))
    }

    /// Returns a line that limits the time of a pebble to `factor` times its duration in an earlier
    /// run.
    ///
    /// The line is violated if, in either run, the pebble is skipped or is kept from an earlier
    /// run.
    ///
    /// - Parameters:
    ///   - pebble: The pebble, which is found by name in each run.
    ///   - factor: The factor, which must be finite and above zero.
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
