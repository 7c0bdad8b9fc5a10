import Pebbles
import PebblesAnalysis

extension RecordedRun {
  /// Returns the run as a page for a browser: a self-contained HTML file that works without a
  /// network.
  ///
  /// ```swift
  /// let run = try await pond.run().recorded()
  /// try Data(run.page().utf8).write(to: URL(filePath: "boot.html"))
  /// ```
  ///
  /// The page shows where the time went and why each pebble ended as it did. It also shows the
  /// graph, and what would have happened if bodies had ended differently. The key `?` lists all
  /// keyboard shortcuts. An address that ends in `#pebble=` followed by a name leads to the pebble
  /// with that name.
  ///
  /// The page contains the run in the format of `json()`, so `PondDocument` can read the run from
  /// the page. Names and errors are inserted as text, and the page's content security policy allows
  /// only its own script.
  ///
  /// - Parameters:
  ///   - earlier: A run to compare with this run, matching pebbles by name. If it is `nil`, the
  ///     page lets readers choose one.
  ///   - links: Links to the pages of the site, possibly including this page.
  /// - Returns: The page.
  /// - Complexity: O(pebbles + atoms + attempts + *n* log *n*) for *n* pebbles that ran, plus, in
  ///   small ponds, the cost of `scenarios()` for a warning about the ends.
  public func page(comparedTo earlier: RecordedRun? = nil, links: [PageLink] = []) -> String {
    InspectorPage(content: .ended(self, earlier: earlier), links: links).text
  }
}

extension Report {
  /// Returns the run as a page for a browser; see `RecordedRun.page(comparedTo:links:)`. For a page
  /// that shows when and where the run took place, use `recorded(from: origin).page()`.
  ///
  /// - Parameters:
  ///   - earlier: A run to compare with this run, matching pebbles by name. If it is `nil`, the
  ///     page lets readers choose one.
  ///   - links: Links to the pages of the site, possibly including this page.
  /// - Returns: The page.
  /// - Complexity: O(pebbles + atoms + attempts + *n* log *n*) for *n* pebbles that ran, plus, in
  ///   small ponds, the cost of `scenarios()` for a warning about the ends.
  public func page(comparedTo earlier: RecordedRun? = nil, links: [PageLink] = []) -> String {
    recorded().page(comparedTo: earlier, links: links)
  }
}

extension RecordedRun {
  private static let mostProblems = 100

  /// A collapsible HTML list of the run's problems; empty if there are none, or if the recording
  /// contradicts itself.
  var problemsRemark: String {
    // A recording that contradicts itself is shown as it is.
    guard let problems = try? problems, !problems.isEmpty else { return "" }
    let shown = problems.prefix(Self.mostProblems)
    let rest = problems.count - shown.count
    let lines = shown.map(\.singleLine) + (rest > 0 ? ["… and \(rest) more"] : [])
    return "<details id=\"problems\"><summary>Not as it should be: \(problems.count)</summary><ul>"
      + lines.map { "<li>\($0.inMarkup)</li>" }.joined() + "</ul></details>\n"
  }

  /// An HTML paragraph that states whether the run reached its goal; empty if `goalSentence` is
  /// `nil`.
  var goalRemark: String {
    goalSentence.map { "<p id=\"goal\">\($0.inMarkup)</p>\n" } ?? ""
  }
}

extension PondModel {
  /// An HTML paragraph with the pond's `endsWarning`; empty if there is no warning.
  var endsRemark: String { endsWarning.map { "<p>\($0.inMarkup)</p>\n" } ?? "" }
}
