extension Pond {
  /// Returns the definition as a graph in DOT, for Graphviz to draw.
  ///
  /// Each pebble is a box. A line leads from a pebble to each pebble that waits for it. Colour,
  /// dash and arrow head show the outcome that is waited for, and every outcome but success is
  /// written at the line. Where a condition nests, small circles join the lines: `or` and `and`, or
  /// the label of the expression. Expressions that several conditions share are drawn once. A line
  /// that waits for a case names it, *as locked*, and the goal is a hexagon.
  ///
  /// Names may contain any characters; long ones are cut. Faults of the definition are added as
  /// notes.
  ///
  /// - Parameter legend: Whether to add a legend of the lines.
  /// - Returns: The text of a `.dot` file.
  /// - Complexity: O(pebbles + atoms).
  public func dot(legend: Bool = false) -> String {
    DotWriter(drawing, hasLegend: legend).text()
  }

  /// Returns the definition as a Mermaid flowchart, for READMEs.
  ///
  /// The flowchart looks like ``dot(legend:)`` within the limits of Mermaid: every outcome that is
  /// waited for, except success, is written at the line.
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
  /// Returns the graph of ``Pond/dot(legend:)`` with the results of the run: pebbles are coloured
  /// by outcome and show their cases and durations, the goal shows whether it was reached, and
  /// lines are pale where what they wait for did not come true.
  ///
  /// The strongest lines mark the decisions: each leads from the pebble that made a condition true
  /// or, if it ends in a bar, false. Failures are red.
  ///
  /// The first two hundred pebbles that failed or were skipped have the reason as a tooltip.
  ///
  /// - Parameters:
  ///   - legend: Whether to add a legend of the lines.
  ///   - reasons: Whether to write the reasons into the picture as well.
  /// - Returns: The text of a `.dot` file.
  /// - Complexity: O(pebbles + atoms).
  public func dot(legend: Bool = false, reasons: Bool = false) -> String {
    DotWriter(drawing, hasLegend: legend, hasReasons: reasons).text()
  }

  /// Returns the graph of ``Pond/mermaid()`` with the results of the run: a thick line marks a
  /// decision, and a cross at the end of a line means that what it waited for did not come true.
  ///
  /// - Parameter reasons: Whether to write the reason into the first two hundred pebbles that
  ///   failed or were skipped.
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
  /// Returns the graph of ``Report/dot(legend:reasons:)`` for what has happened so far: running
  /// pebbles have a bold line and show how long they have been running, waiting pebbles are white,
  /// and lines are pale where what they wait for can no longer come true.
  ///
  /// The run goes on meanwhile: of two pebbles drawn as running, one may have ended just before the
  /// other started.
  ///
  /// - Parameter legend: Whether to add a legend of the lines.
  /// - Returns: The text of a `.dot` file.
  /// - Complexity: O(pebbles + atoms).
  public func dot(legend: Bool = false) -> String {
    DotWriter(drawing, hasLegend: legend).text()
  }

  /// Returns the graph of ``Report/mermaid(reasons:)`` for what has happened so far, drawn like
  /// ``dot(legend:)``.
  ///
  /// - Returns: The text of a Mermaid code block.
  /// - Complexity: O(pebbles + atoms).
  public func mermaid() -> String {
    MermaidWriter(drawing).text()
  }

  private var drawing: Drawing {
    // Read first: if the run is over now, everything that is drawn below has settled.
    let isOver = core.life.isOver
    let now = core.clock.now()
    let title = "\(core.program.pond.graph.pondName), \(now.asNanoseconds.brief)"
    return Drawing(core.program.pond, title: title, storage, now: isOver ? nil : now)
  }
}
