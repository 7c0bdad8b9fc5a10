public import PebblesAnalysis
import Pebbles

extension PondModel {
  /// The pond as a graph in DOT, to be drawn by Graphviz, as `Pond.dot(legend:)` draws it.
  ///
  /// - Returns: The text of a `.dot` file.
  /// - Complexity: O(pebbles + atoms).
  public func dot() -> String { pond.dot(title: name) }

  /// The pond as a Mermaid flowchart, as `Pond.mermaid()` draws it.
  ///
  /// - Returns: The text of a Mermaid code block.
  /// - Complexity: O(pebbles + atoms).
  public func mermaid() -> String { pond.mermaid(title: name) }
}

extension RecordedRun {
  /// The graph in DOT with what happened, as `Report.dot` draws it.
  ///
  /// - Returns: The text of a `.dot` file.
  /// - Throws: `RecordingError` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  public func dot() throws(RecordingError) -> String {
    model.pond.dot(title: title, try Replay(self).storage)
  }

  /// The Mermaid flowchart with what happened, as `Report.mermaid` draws it.
  ///
  /// - Returns: The text of a Mermaid code block.
  /// - Throws: `RecordingError` if the pebbles cannot have ended as recorded.
  /// - Complexity: O(pebbles + atoms + *n* log *n*) for *n* pebbles that ran.
  public func mermaid() throws(RecordingError) -> String {
    model.pond.mermaid(title: title, try Replay(self).storage)
  }

  private var title: String { "\(model.name), \(makespan.brief)" }
}
