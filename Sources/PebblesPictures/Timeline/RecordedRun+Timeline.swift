import Pebbles
import PebblesAnalysis

extension RecordedRun {
  /// Returns a timeline of the run as an SVG picture.
  ///
  /// ```swift
  /// try run.timeline().write(toFile: "boot.svg", atomically: true, encoding: .utf8)
  /// ```
  ///
  /// Pebbles are drawn as bars, in the order in which they started, with their attempts inside.
  /// The time that a pebble waited is drawn to the left of its bar: as a dotted line if it waited
  /// for other pebbles, as a striped bar for a limit, and as a solid line for a thread. Skipped
  /// pebbles are drawn at the time at which they were skipped, with the reason. The longest chain
  /// is outlined, with arrows from cause to effect. No meaning is conveyed by colour alone, no
  /// label covers a bar, and the picture is dark in dark mode. Pointing at a row shows its full
  /// details.
  ///
  /// In a run of more than 10,000 pebbles, only pebbles on the longest chain and failed pebbles
  /// have their own rows, at most 500 of each kind. The others are grouped by cluster or by time.
  ///
  /// - Returns: The contents of an `.svg` file, with names escaped; always the same for the same
  ///   run.
  /// - Complexity: O(pebbles + atoms + attempts + *n* log *n*) for *n* pebbles that ran, plus, in
  ///   small ponds, the cost of `scenarios()` for a warning about the ends.
  public func timeline() -> String {
    TimelineWriter(TimelineLayout(RunFacts(self))).svg()
  }
}

extension Report {
  /// Returns a timeline of the run as an SVG picture; see
  /// ``PebblesAnalysis/RecordedRun/timeline()``.
  ///
  /// - Returns: The contents of an `.svg` file.
  /// - Complexity: O(pebbles + atoms + attempts + *n* log *n*) for *n* pebbles that ran, plus, in
  ///   small ponds, the cost of `scenarios()` for a warning about the ends.
  public func timeline() -> String { recorded().timeline() }
}
