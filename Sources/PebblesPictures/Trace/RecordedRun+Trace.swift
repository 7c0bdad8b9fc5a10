import Pebbles
import PebblesAnalysis

extension RecordedRun {
  /// Returns the run as a trace file, for Perfetto (<https://ui.perfetto.dev>) or Chrome's
  /// `about:tracing`.
  ///
  /// ```swift
  /// try run.trace().write(toFile: "boot.trace.json", atomically: true, encoding: .utf8)
  /// ```
  ///
  /// Pebbles are shown as slices in as few lanes as possible. If a pebble had several attempts,
  /// they are shown inside its slice. Arrows lead from the end of a pebble to the pebbles that
  /// started because of it. Skipped pebbles are shown as marks in a separate lane. The area above
  /// the lanes shows when pebbles waited for a limit or a thread, and how many pebbles were running
  /// and waiting.
  ///
  /// - Returns: JSON in the Trace Event Format, always the same for the same run.
  /// - Complexity: O(pebbles + atoms + attempts + *n* log *n*) for *n* pebbles that ran.
  public func trace() -> String { TraceWriter(RunFacts(self)).visibleJSON + "\n" }
}

extension Report {
  /// Returns the run as a trace file for Perfetto; see ``PebblesAnalysis/RecordedRun/trace()``.
  ///
  /// - Returns: JSON in the Trace Event Format.
  /// - Complexity: O(pebbles + atoms + attempts + *n* log *n*) for *n* pebbles that ran.
  public func trace() -> String { recorded().trace() }
}
