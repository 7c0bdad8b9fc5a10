import Pebbles
import PebblesAnalysis

extension RecordedRun {
  /// The run as a timeline, a picture in SVG.
  ///
  /// ```swift
  /// try run.timeline().write(toFile: "boot.svg", atomically: true, encoding: .utf8)
  /// ```
  ///
  /// Bars by start, with attempts in them, and before them what they waited for: dotted for other
  /// pebbles, striped for a limit, a line for a thread. Skipped pebbles stand where that was
  /// decided, with the reason. The longest chain is outlined, with arrows from cause to effect.
  /// Nothing is told by colour alone, no label covers a bar, and the picture turns dark on dark
  /// screens. What a row is about in full is shown when it is pointed at.
  ///
  /// Above ten thousand pebbles, all but the longest chain and what failed is grouped: by cluster,
  /// or by time.
  ///
  /// - Returns: The text of an `.svg` file, the same for the same run. Names in it are text,
  ///   whatever they are.
  /// - Complexity: O(pebbles + atoms + attempts + *n* log *n*) for *n* pebbles that ran.
  public func timeline() -> String {
    TimelineWriter(TimelineLayout(RunFacts(self))).svg()
  }
}

extension Report {
  /// The run as a timeline, a picture in SVG; see ``PebblesAnalysis/RecordedRun/timeline()``.
  ///
  /// - Returns: The text of an `.svg` file.
  /// - Complexity: O(pebbles + atoms + attempts + *n* log *n*) for *n* pebbles that ran.
  public func timeline() -> String { recorded().timeline() }
}
