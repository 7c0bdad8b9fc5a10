/// Pictures of ponds that were read from a file, and of recorded or simulated runs.
extension PondLogic {
  /// Returns the pond as a graph in DOT, with the results of a run if `storage` is given.
  package func dot(title: String, _ storage: RunStorage? = nil, reasons: Bool = false) -> String {
    let drawing = Drawing(self, title: title, storage)
    return DotWriter(drawing, hasLegend: false, hasReasons: reasons).text()
  }

  /// Returns the pond as a Mermaid flowchart, with the results of a run if `storage` is given.
  package func mermaid(
    title: String, _ storage: RunStorage? = nil, reasons: Bool = false
  ) -> String {
    MermaidWriter(Drawing(self, title: title, storage), hasReasons: reasons).text()
  }
}
