import Pebbles
import PebblesAnalysis

extension RecordedRun {
  /// The run as a page for a browser: one HTML file that needs nothing else, neither a network nor
  /// another file.
  ///
  /// ```swift
  /// let run = try await pond.run().recorded()
  /// try Data(run.page().utf8).write(to: URL(filePath: "boot.html"))
  /// ```
  ///
  /// It says where the time went and why each pebble ended as it did, answers what would have been
  /// if bodies had ended otherwise, and draws the graph. `?` lists its keys, and an address that
  /// ends in
  /// `#pebble=` and a name leads to that pebble.
  ///
  /// The run is in the page as the document that `json()` writes, so that the page can be read
  /// like one: see ``init(page:limits:)``. What is in names and errors stays text, and the page's
  /// policy lets no script run but its own.
  ///
  /// - Parameters:
  ///   - earlier: A run to compare with, by the names of pebbles. Without it, one can be chosen in
  ///     the page.
  ///   - links: The other pages of the site that it is part of, and perhaps the page itself.
  /// - Returns: The page.
  /// - Complexity: O(pebbles + atoms + attempts + *n* log *n*) for *n* pebbles that ran.
  public func page(comparedTo earlier: RecordedRun? = nil, links: [PageLink] = []) -> String {
    InspectorPage(content: .ended(self, earlier: earlier), links: links).text
  }
}

extension Report {
  /// The run as a page for a browser: see `RecordedRun.page(comparedTo:links:)`. One that says when
  /// and where it ran is `recorded(from: origin).page()`.
  ///
  /// - Parameters:
  ///   - earlier: A run to compare with, by the names of pebbles. Without it, one can be chosen in
  ///     the page.
  ///   - links: The other pages of the site that it is part of, and perhaps the page itself.
  /// - Returns: The page.
  /// - Complexity: O(pebbles + atoms + attempts + *n* log *n*) for *n* pebbles that ran.
  public func page(comparedTo earlier: RecordedRun? = nil, links: [PageLink] = []) -> String {
    recorded().page(comparedTo: earlier, links: links)
  }
}

extension RecordedRun {
  /// Reads the run that is in a page, see ``page(comparedTo:links:)``; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - bytes: The page, in UTF-8.
  ///   - limits: How much of the run is read before it is refused.
  /// - Throws: `JSONError` if what is there is no run; places are counted within the document in
  ///   the page.
  /// - Complexity: O(bytes).
  public init?(
    page bytes: some Collection<UInt8>, limits: JSONLimits = JSONLimits()
  ) throws(JSONError) {
    guard let document = InspectorPage.document(in: bytes) else { return nil }
    try self.init(json: document, limits: limits)
  }
}
