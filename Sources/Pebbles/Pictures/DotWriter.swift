/// Writes a drawing in DOT, the language of Graphviz.
struct DotWriter {
  private let drawing: Drawing
  private let hasLegend: Bool

  init(_ drawing: Drawing, hasLegend: Bool) {
    self.drawing = drawing
    self.hasLegend = hasLegend
  }

  func text() -> String {
    let head = """
      digraph \(drawing.title.dotQuoted) {
        rankdir=LR
        graph [fontname="Helvetica", label=\(drawing.title.dotLabel), labelloc=t]
        node [fontname="Helvetica", fontsize=11, shape=box, style="rounded,filled", \
      color="#37474f", fillcolor=white]
        edge [fontname="Helvetica", fontsize=9, color="#37474f"]
      """
    let body = drawing.outline.map(step) + drawing.lines.map(line)
    return ([head] + body + (hasLegend ? [Self.legend] : []) + ["}"]).joined(separator: "\n") + "\n"
  }

  private func step(level: Int, _ step: Drawing.Step) -> String {
    let text =
      switch step {
      case .node(let node): self.node(node)
      case .opening(let box):
        "  subgraph cluster_\(box.number) { graph [label=\(box.label.dotLabel), style=rounded, "
          + "color=\"#90a4ae\", fontsize=11]"
      case .closing: "  }"
      }
    return String(repeating: "  ", count: level) + text
  }

  private func node(_ node: Drawing.Node) -> String {
    var attributes = ["label=\(node.label.dotLabel)"]
    switch node.shape {
    case .pebble:
      attributes = attributesOfPebble(node)
    case .junction:
      attributes += [
        "shape=circle", "width=0.36", "fixedsize=true", "fontsize=9", "fillcolor=\"#eceff1\"",
      ]
    case .labeled:
      let lines = [node.label, node.remark].compactMap { $0?.dotEscaped }
      attributes = [
        "label=\(lines.joined(separator: "\\n").inDotQuotes)", "height=0.3",
        "margin=\"0.1,0.05\"", "fontsize=9", "fillcolor=\"#eceff1\"",
      ]
    case .predicate:
      attributes += ["shape=diamond", "style=dashed", "fontsize=9"]
    case .note:
      attributes += ["shape=note", "style=filled", "fillcolor=\"#fff3e0\"", "fontsize=9"]
    case .constant:
      attributes += ["shape=plaintext", "style=\"\"", "fontsize=9"]
    }
    return "  \(node.identifier) [\(attributes.joined(separator: ", "))]"
  }

  private func attributesOfPebble(_ node: Drawing.Node) -> [String] {
    guard let status = node.status else { return ["label=\(node.label.dotLabel)"] }
    let palette = status.palette
    var attributes = ["fillcolor=\"\(palette.fill)\"", "color=\"\(palette.line)\""]
    let ending = [status == .succeeded ? nil : palette.word, node.duration].compactMap(\.self)
    let word = status == .running ? " for " : " after "
    let label = node.label.dotEscaped + "\\n" + ending.joined(separator: word)
    attributes.append("label=\(label.inDotQuotes)")
    if let remark = node.remark { attributes.append("tooltip=\(remark.dotLabel)") }
    if status.event == .skipped { attributes.append("style=\"rounded,filled,dashed\"") }
    if status == .running { attributes.append("penwidth=2.5") }
    return attributes
  }

  private func line(_ line: Drawing.Line) -> String {
    var attributes = line.outcomes?.dotAttributes ?? []
    if line.isTaken == false { attributes.removeAll { $0.contains("color=") } }
    if line.isDashed { attributes.append("style=dashed") }
    if line.isNegated { attributes.append("label=\"not\"") }
    if line.isTaken == false { attributes += ["color=\"#cfd8dc\"", "fontcolor=\"#90a4ae\""] }
    let list = attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
    return "  \(line.from) -> \(line.to)\(list)"
  }

  private static var legend: String {
    let kinds: [OutcomeSet] = [.succeeded, .failed, .completed, .skipped, .settled]
    var text = "  subgraph cluster_legend {\n    label=\"waits for it to …\"\n    fontsize=9\n"
    text += "    color=\"#b0bec5\"\n"
    text += "    node [shape=plaintext, style=\"\", fontsize=9, height=0.1, margin=0.03]\n"
    for (number, outcomes) in kinds.enumerated() {
      let attributes = outcomes.dotStyle.joined(separator: ", ")
      text += "    l\(number) [label=\"\"]\n    m\(number) [label=\"\(outcomes.infinitive)\"]\n"
      text += "    l\(number) -> m\(number) [\(attributes)]\n"
    }
    text += "    l5 [label=\"\"]\n    m5 [label=\"satisfy a predicate\"]\n"
    return text + "    l5 -> m5 [style=dashed]\n  }"
  }
}

extension OutcomeSet {
  fileprivate var dotAttributes: [String] {
    dotStyle + (caption.map { ["label=\"\($0)\""] } ?? [])
  }

  /// Colour, dash and arrow head all differ, so that a line can be told without seeing colour.
  fileprivate var dotStyle: [String] {
    switch self {
    case .succeeded: ["color=\"#2e7d32\""]
    case .failed: ["color=\"#c62828\"", "fontcolor=\"#c62828\"", "arrowhead=diamond"]
    case .completed: ["color=\"#263238\"", "penwidth=1.8"]
    case .skipped: ["color=\"#757575\"", "style=dotted", "arrowhead=empty"]
    case .settled: ["color=\"#1565c0\"", "arrowhead=dot"]
    default: ["color=\"#6a1b9a\"", "arrowhead=odiamond"]
    }
  }
}

extension String {
  /// The text between double quotes as an identifier: only quote and backslash mean something
  /// there.
  fileprivate var dotQuoted: String {
    dotEscaped(escapingEntities: false).inDotQuotes
  }

  /// The text between double quotes as a label.
  fileprivate var dotLabel: String { dotEscaped.inDotQuotes }

  /// In a label `\N`, `\G` and the like are replaced, and so are entities such as `&lt;`.
  fileprivate var dotEscaped: String { dotEscaped(escapingEntities: true) }

  fileprivate var inDotQuotes: String { "\"\(self)\"" }

  private func dotEscaped(escapingEntities: Bool) -> String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": escaped += "\\\""
      case "\\": escaped += "\\\\"
      case "&" where escapingEntities: escaped += "&amp;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
