import Pebbles
import PebblesAnalysis

extension RecordedRun {
  /// The run as a trace file, to be opened in Perfetto (<https://ui.perfetto.dev>) or in Chrome's
  /// `about:tracing`.
  ///
  /// ```swift
  /// try run.trace().write(toFile: "boot.trace.json", atomically: true, encoding: .utf8)
  /// ```
  ///
  /// Pebbles are slices, packed into as few lanes as there can be, with their attempts inside if
  /// there were several. Arrows lead from what decided a condition to what that started. Skipped
  /// pebbles are marks on a lane of their own; waiting for a limit or a thread is shown above, and
  /// so is how many run and wait at a time.
  ///
  /// - Returns: JSON in the Trace Event Format, the same for the same run.
  /// - Complexity: O(pebbles + atoms + attempts + *n* log *n*) for *n* pebbles that ran.
  public func trace() -> String { TraceWriter(RunFacts(self)).json() }
}

extension Report {
  /// The run as a trace file for Perfetto; see ``PebblesAnalysis/RecordedRun/trace()``.
  ///
  /// - Returns: JSON in the Trace Event Format.
  /// - Complexity: O(pebbles + atoms + attempts + *n* log *n*) for *n* pebbles that ran.
  public func trace() -> String { recorded().trace() }
}
