extension Pond {
  /// The definition as a graph in DOT, to be drawn by Graphviz.
  ///
  /// Each pebble is a box. Lines lead from what is waited for; colour, dash and arrow head tell the
  /// outcome waited for, and all but success are written out. Where a condition nests, small
  /// circles join the lines: `or` and `and`, or the label of the expression. What several
  /// conditions have in common is drawn once. A line that waits for a case says so, *as locked*,
  /// and the goal is a hexagon.
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
  /// Drawn like ``dot(legend:)``, within what Mermaid offers: the outcome waited for, other than
  /// success, is written at the line.
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
  /// The graph of ``Pond/dot(legend:)`` with what happened: pebbles coloured by outcome, with their
  /// cases and how long they took, the goal by whether it was reached, and lines pale where what
  /// they wait for did not come true.
  ///
  /// The strongest lines are those that decided: they lead from the pebble that made a condition
  /// true or, ending in a bar, false. Red is what failed.
  ///
  /// The first two hundred pebbles that failed or were skipped have the reason as a tooltip.
  ///
  /// - Parameters:
  ///   - legend: Whether to add a legend of the lines.
  ///   - reasons: Whether to write reasons into the picture, too.
  /// - Returns: The text of a `.dot` file.
  /// - Complexity: O(pebbles + atoms).
  public func dot(legend: Bool = false, reasons: Bool = false) -> String {
    DotWriter(drawing, hasLegend: legend, hasReasons: reasons).text()
  }

  /// The graph of ``Pond/mermaid()`` with what happened: a thick line decided, a cross at its end
  /// says that what it waited for did not come true.
  ///
  /// - Parameter reasons: Whether to write into the first two hundred pebbles that failed or were
  ///   skipped why they did.
  /// - Returns: The text of a Mermaid code block.
  /// - Complexity: O(pebbles + atoms).
  public func mermaid(reasons: Bool = false) -> String {
    MermaidWriter(drawing, hasReasons: reasons).text()
  }

  private var drawing: Drawing {
    Drawing(storage.pond, title: "\(pondName), \(makespan.brief)", storage)
  }
}

extension Run {
  /// The graph of ``Report/dot(legend:reasons:)`` of what has happened so far: pebbles that run
  /// have a bold line and say for how long, those that wait are white, and lines are pale where it
  /// is certain that what they wait for will not come true.
  ///
  /// The run is not stopped for it: of two pebbles drawn as running, one may have ended just before
  /// the other started.
  ///
  /// - Parameter legend: Whether to add a legend of the lines.
  /// - Returns: The text of a `.dot` file.
  /// - Complexity: O(pebbles + atoms).
  public func dot(legend: Bool = false) -> String {
    DotWriter(drawing, hasLegend: legend).text()
  }

  /// The graph of ``Report/mermaid(reasons:)`` of what has happened so far, drawn like
  /// ``dot(legend:)``.
  ///
  /// - Returns: The text of a Mermaid code block.
  /// - Complexity: O(pebbles + atoms).
  public func mermaid() -> String {
    MermaidWriter(drawing).text()
  }

  private var drawing: Drawing {
    // First, for once the run is over nothing it draws is open any more.
    let isOver = core.life.isOver
    let now = core.clock.now()
    let title = "\(core.program.pond.graph.pondName), \(now.asNanoseconds.brief)"
    return Drawing(core.program.pond, title: title, storage, now: isOver ? nil : now)
  }
}
