/// A writer of drawings in DOT, the Graphviz language.
struct DotWriter {
  private let drawing: Drawing
  private let hasLegend: Bool
  private let hasReasons: Bool

  init(_ drawing: Drawing, hasLegend: Bool, hasReasons: Bool = false) {
    self.drawing = drawing
    self.hasLegend = hasLegend
    self.hasReasons = hasReasons
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
    return ([head] + body + (hasLegend ? [legend] : []) + ["}"]).joined(separator: "\n") + "\n"
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
    case .given:
      // The symbol for data in flow charts (ISO 5807).
      attributes = attributesOfPebble(node) + ["shape=parallelogram", "margin=\"0,0\""]
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
    case .goal:
      attributes = attributesOfGoal(node)
    case .note:
      attributes += ["shape=note", "style=filled", "fillcolor=\"#fff3e0\"", "fontsize=9"]
    case .constant:
      attributes += ["shape=plaintext", "style=\"\"", "fontsize=9"]
    }
    return "  \(node.identifier) [\(attributes.joined(separator: ", "))]"
  }

  private func attributesOfPebble(_ node: Drawing.Node) -> [String] {
    guard let status = node.status else { return ["label=\(node.label.dotLabel)"] }
    let isBlocked = node.skipKind == .blocked
    let palette = status.palette(isBlocked: isBlocked)
    var attributes = ["fillcolor=\"\(palette.fill)\"", "color=\"\(palette.line)\""]
    let reason = hasReasons ? node.reason?.wrapped(at: Drawing.reasonWidth) ?? [] : []
    let lines = ([node.label, node.ending] + reason).map(\.dotEscaped)
    let label = lines.joined(separator: "\\n")
    attributes.append("label=\(label.inDotQuotes)")
    if let remark = node.remark { attributes.append("tooltip=\(remark.dotLabel)") }
    if status.event == .skipped { attributes.append("style=\"rounded,filled,dashed\"") }
    if status == .running { attributes.append("penwidth=2.5") }
    if isBlocked { attributes.append("penwidth=2") }
    return attributes
  }

  private func attributesOfGoal(_ node: Drawing.Node) -> [String] {
    let lines = [node.label, node.remark, node.goalWord].compactMap { $0?.dotEscaped }
    var attributes = [
      "label=\(lines.joined(separator: "\\n").inDotQuotes)", "shape=hexagon", "style=filled",
      "peripheries=2",
    ]
    if let palette = node.status?.palette(isBlocked: false) {
      attributes += ["fillcolor=\"\(palette.fill)\"", "color=\"\(palette.line)\""]
    }
    return attributes
  }

  private func line(_ line: Drawing.Line) -> String {
    var attributes = line.outcomes?.dotStyle ?? [:]
    if line.isTaken == false {
      attributes["fontcolor"] = line.isDeciding ? "#455a64" : "#90a4ae"
      attributes["color"] = line.isDeciding ? "#455a64" : "#cfd8dc"
    }
    if line.isDeciding {
      attributes["penwidth"] = "3"
      // The line made the condition false.
      if line.isTaken == false { attributes["arrowhead"] = "tee" }
    }
    attributes["label"] = line.caption?.dotEscaped
    return "  \(line.from) -> \(line.to)\(attributes.inDotBrackets)"
  }

  private var legend: String {
    let kinds: [OutcomeSet] = [.succeeded, .failed, .completed, .skipped, .settled]
    var lines = kinds.map { ($0.infinitive, $0.dotStyle) }
    if drawing.storage != nil {
      lines.append(("… and that decided", ["penwidth": "3"]))
      let refusal = ["penwidth": "3", "color": "#455a64", "arrowhead": "tee"]
      lines.append(("… but it did not, and that decided", refusal))
    }
    var text = "  subgraph cluster_legend {\n    label=\"waits for it to …\"\n    fontsize=9\n"
    text += "    color=\"#b0bec5\"\n"
    text += "    node [shape=plaintext, style=\"\", fontsize=9, height=0.1, margin=0.03]\n"
    for (number, (label, style)) in lines.enumerated() {
      text += "    l\(number) [label=\"\"]\n    m\(number) [label=\"\(label)\"]\n"
      text += "    l\(number) -> m\(number)\(style.inDotBrackets)\n"
    }
    return text + "  }"
  }
}

extension [String: String] {
  /// The attributes of a line, in brackets and in a fixed order; empty if there are no attributes.
  fileprivate var inDotBrackets: String {
    let words = ["style", "penwidth", "arrowhead"]
    let texts = ["color", "fontcolor", "label"]
    let attributes =
      words.compactMap { name in self[name].map { "\(name)=\($0)" } }
      + texts.compactMap { name in self[name].map { "\(name)=\"\($0)\"" } }
    return attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
  }
}

extension OutcomeSet {
  /// The attributes of a line that represents these outcomes. Apart from their colours, lines
  /// differ in width, dash or arrowhead. Deciding lines all have the same width. No line is red,
  /// because red is reserved for failed pebbles.
  fileprivate var dotStyle: [String: String] {
    switch self {
    case .succeeded: ["color": "#2e7d32"]
    case .failed: ["color": "#795548", "fontcolor": "#795548", "arrowhead": "diamond"]
    case .completed: ["color": "#263238", "penwidth": "1.8"]
    case .skipped: ["color": "#757575", "style": "dotted", "arrowhead": "empty"]
    case .settled: ["color": "#1565c0", "arrowhead": "dot"]
    default: ["color": "#6a1b9a", "arrowhead": "odiamond"]
    }
  }
}

extension String {
  /// The string as an identifier in double quotes. Only quotes, backslashes and the bracket of
  /// `##[` are escaped.
  fileprivate var dotQuoted: String {
    dotEscaped(escapingEntities: false).inDotQuotes
  }

  /// The string as a label in double quotes.
  fileprivate var dotLabel: String { dotEscaped.inDotQuotes }

  /// The string, escaped for a label. In labels, Graphviz replaces escape sequences such as `\N`,
  /// and entities such as `&lt;`.
  package var dotEscaped: String { dotEscaped(escapingEntities: true) }

  fileprivate var inDotQuotes: String { "\"\(self)\"" }

  private func dotEscaped(escapingEntities: Bool) -> String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": escaped += "\\\""
      case "\\": escaped += "\\\\"
      case "&" where escapingEntities: escaped += "&amp;"
      // GitHub takes "##[", anywhere in a line, for the beginning of a workflow command. Graphviz
      // replaces entities in labels only, but joins any strings that are added.
      case "[" where escaped.utf8.suffix(2).elementsEqual("##".utf8):
        escaped += escapingEntities ? "&#91;" : "\" + \"["
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
