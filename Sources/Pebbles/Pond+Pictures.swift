extension Pond {
  /// Returns the definition as a DOT graph, which Graphviz can draw.
  ///
  /// Each pebble is a box. A line leads from a pebble to each pebble that waits for it. The awaited
  /// outcome determines the colour, width, dash and arrowhead of the line. Every outcome except
  /// success is also written beside the line. In a nested condition, lines meet in small circles
  /// marked `or` or `and`. An expression with a label is drawn as a box that shows the label.
  /// Expressions shared by several conditions are drawn only once. If a pebble waits for a case,
  /// the name of the case is written beside the line, for example *as locked*. A given value is a
  /// parallelogram, and the goal is a hexagon.
  ///
  /// Names may contain any characters; long names are truncated. Faults of the definition are added
  /// as notes.
  ///
  /// - Parameter legend: Whether to add a legend that explains the lines.
  /// - Returns: The contents of a `.dot` file.
  /// - Complexity: O(*n* log *n*), where *n* is the number of pebbles and atoms.
  public func dot(legend: Bool = false) -> String {
    DotWriter(drawing, hasLegend: legend).text()
  }

  /// Returns the definition as a Mermaid flowchart, for example for a README.
  ///
  /// The flowchart resembles the graph of ``dot(legend:)`` as closely as Mermaid allows. Every
  /// awaited outcome except success is written beside the line.
  ///
  /// - Returns: The text of a Mermaid code block.
  /// - Complexity: The same as for ``dot(legend:)``.
  public func mermaid() -> String {
    MermaidWriter(drawing).text()
  }

  private var drawing: Drawing {
    Drawing(program().pond, title: name)
  }
}

extension Report {
  /// Returns the graph of ``Pond/dot(legend:)`` with the results of the run.
  ///
  /// Pebbles are coloured by outcome and labelled with their cases and durations. The goal is
  /// marked as reached or missed. Lines whose outcome did not occur are pale, unless they decided a
  /// condition.
  ///
  /// The thickest lines mark the decisions. They lead from the pebble that made a condition true or
  /// false to the pebble that has the condition. If the condition became false, they end in a bar.
  /// Failures are red.
  ///
  /// For the first two hundred pebbles that failed or were skipped, a tooltip shows the reason.
  ///
  /// - Parameters:
  ///   - legend: Whether to add a legend that explains the lines.
  ///   - reasons: Whether to write the reasons into the picture as well.
  /// - Returns: The contents of a `.dot` file.
  /// - Complexity: The same as for ``Pond/dot(legend:)``.
  public func dot(legend: Bool = false, reasons: Bool = false) -> String {
    DotWriter(drawing, hasLegend: legend, hasReasons: reasons).text()
  }

  /// Returns the graph of ``Pond/mermaid()`` with the results of the run.
  ///
  /// A thick line marks a decision. A line ends in a cross if the awaited outcome did not occur.
  ///
  /// - Parameter reasons: Whether to write the reason into the first two hundred pebbles that
  ///   failed or were skipped.
  /// - Returns: The text of a Mermaid code block.
  /// - Complexity: The same as for ``Pond/dot(legend:)``.
  public func mermaid(reasons: Bool = false) -> String {
    MermaidWriter(drawing, hasReasons: reasons).text()
  }

  private var drawing: Drawing {
    Drawing(storage.pond, title: "\(pondName), \(makespan.brief)", storage)
  }
}

extension Run {
  /// Returns the graph of ``Report/dot(legend:reasons:)`` for the run so far.
  ///
  /// Running pebbles have a bold outline and are labelled with the time since they started. Waiting
  /// pebbles are white. Lines whose outcome can no longer occur are pale.
  ///
  /// The run continues while its state is read. Therefore, two pebbles can be drawn as running even
  /// though one ended just before the other started.
  ///
  /// - Parameter legend: Whether to add a legend that explains the lines.
  /// - Returns: The contents of a `.dot` file.
  /// - Complexity: The same as for ``Pond/dot(legend:)``.
  public func dot(legend: Bool = false) -> String {
    DotWriter(drawing, hasLegend: legend).text()
  }

  /// Returns the graph of ``Report/mermaid(reasons:)`` for the run so far, drawn in the same way as
  /// ``dot(legend:)``.
  ///
  /// - Returns: The text of a Mermaid code block.
  /// - Complexity: The same as for ``Pond/dot(legend:)``.
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
