public import PebblesAnalysis
import Pebbles

extension PondModel {
  /// Returns the pond as a graph in DOT, for Graphviz, in the style of `Pond.dot(legend:)`.
  ///
  /// A note is added if several pebbles at the end of the graph look like alternatives, such as the
  /// screens of an app, but a run may end without reaching any of them, or may reach several.
  ///
  /// - Returns: The contents of a `.dot` file.
  /// - Complexity: O(pebbles + atoms), plus, in small ponds, the cost of `scenarios()` for the
  ///   note.
  public func dot() -> String { pond.dot(title: name).noting(endsWarning) }

  /// Returns the pond as a Mermaid flowchart, in the style of `Pond.mermaid()`.
  ///
  /// - Returns: The contents of a Mermaid code block.
  /// - Complexity: O(pebbles + atoms).
  public func mermaid() -> String { pond.mermaid(title: name) }
}

extension RecordedRun {
  /// Returns the graph of the run in DOT, in the style of `Report.dot`. If `PondModel.dot()` adds a
  /// note to the pond, the graph includes this note.
  ///
  /// - Parameter reasons: Whether to show the reasons in the first two hundred pebbles that failed
  ///   or were skipped.
  /// - Returns: The contents of a `.dot` file.
  /// - Throws: `RecordingError` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran, plus the cost of the
  ///   note.
  public func dot(reasons: Bool = false) throws(RecordingError) -> String {
    model.pond.dot(title: title, try Replay(self).storage, reasons: reasons)
      .noting(model.endsWarning)
  }

  /// Returns the run as a Mermaid flowchart, in the style of `Report.mermaid`.
  ///
  /// - Parameter reasons: Whether to show the reasons in the first two hundred pebbles that failed
  ///   or were skipped.
  /// - Returns: The contents of a Mermaid code block.
  /// - Throws: `RecordingError` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  public func mermaid(reasons: Bool = false) throws(RecordingError) -> String {
    model.pond.mermaid(title: title, try Replay(self).storage, reasons: reasons)
  }

  private var title: String { "\(model.name), \(makespan.brief)" }
}

extension String {
  /// Returns this graph in DOT with an additional note that shows the text. If the text is `nil`,
  /// returns the graph unchanged.
  fileprivate func noting(_ text: String?) -> String {
    guard let text, let end = lastIndex(of: "}") else { return self }
    let lines = text.wrapped(at: 40).map(\.dotEscaped)
    return self[..<end] + """
        endings [shape=note, style=filled, fillcolor="#fff3e0", fontsize=9, \
      label="\(lines.joined(separator: "\\n"))"]

      """ + self[end...]
  }
}
