extension Pond {
  /// The definition as a graph in DOT, to be drawn by Graphviz.
  ///
  /// Each pebble is a box. Lines lead from what is waited for; colour, dash and arrow head tell the
  /// outcome waited for, and all but success are written out. Where a condition nests, small
  /// circles join the lines: `or` and `and`, or the label of the expression. Predicates are dashed.
  ///
  /// Names may contain anything; long ones are cut. What is wrong with a definition is
  /// added as notes.
  ///
  /// - Parameter legend: Whether to add a legend of the lines.
  /// - Returns: The text of a `.dot` file.
  /// - Complexity: O(pebbles + atoms).
  public func dot(legend: Bool = false) -> String {
    DotWriter(drawing, hasLegend: legend).text()
  }

  /// The definition as a Mermaid flowchart, for READMEs.
  ///
  /// Drawn like ``dot(legend:)``, within what Mermaid offers.
  ///
  /// - Returns: The text of a Mermaid code block.
  /// - Complexity: O(pebbles + atoms).
  public func mermaid() -> String {
    MermaidWriter(drawing).text()
  }

  private var drawing: Drawing {
    Drawing(program().pond, title: name)
  }
}

extension Report {
  /// The graph of ``Pond/dot(legend:)`` with what happened: pebbles coloured by outcome, with how
  /// long they took, and lines pale where what they wait for did not come true.
  ///
  /// The first two hundred pebbles that failed or were skipped have the reason as a tooltip.
  ///
  /// - Parameter legend: Whether to add a legend of the lines.
  /// - Returns: The text of a `.dot` file.
  /// - Complexity: O(pebbles + atoms).
  public func dot(legend: Bool = false) -> String {
    DotWriter(drawing, hasLegend: legend).text()
  }

  /// The graph of ``Pond/mermaid()`` with what happened.
  ///
  /// - Returns: The text of a Mermaid code block.
  /// - Complexity: O(pebbles + atoms).
  public func mermaid() -> String {
    MermaidWriter(drawing).text()
  }

  private var drawing: Drawing {
    Drawing(storage.pond, title: "\(pondName), \(makespan.brief)", storage)
  }
}
