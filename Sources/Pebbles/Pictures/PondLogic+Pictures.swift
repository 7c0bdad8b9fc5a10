/// Pictures of ponds and runs that are values: read from a file, or simulated.
extension PondLogic {
  /// The pond as a graph in DOT, and in it, if there is one, what happened in a run.
  package func dot(title: String, _ storage: RunStorage? = nil, reasons: Bool = false) -> String {
    let drawing = Drawing(self, title: title, storage)
    return DotWriter(drawing, hasLegend: false, hasReasons: reasons).text()
  }

  /// The pond as a Mermaid flowchart, and in it, if there is one, what happened in a run.
  package func mermaid(
    title: String, _ storage: RunStorage? = nil, reasons: Bool = false
  ) -> String {
    MermaidWriter(Drawing(self, title: title, storage), hasReasons: reasons).text()
  }
}
