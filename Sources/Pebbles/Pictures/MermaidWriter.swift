/// Writes a drawing as a Mermaid flowchart, which GitHub and many others show in Markdown.
struct MermaidWriter {
  private let drawing: Drawing

  init(_ drawing: Drawing) {
    self.drawing = drawing
  }

  func text() -> String {
    let classes = Self.classes(for: drawing.nodes.compactMap(\.status))
    return (["flowchart LR"] + drawing.outline.map(step) + drawing.lines.map(line) + classes)
      .joined(separator: "\n") + "\n"
  }

  private func step(level: Int, _ step: Drawing.Step) -> String {
    let text =
      switch step {
      case .node(let node): self.node(node)
      case .opening(let box): "  subgraph b\(box.number)[\"\(box.label.mermaidEscaped)\"]"
      case .closing: "  end"
      }
    return String(repeating: "  ", count: level) + text
  }

  private func node(_ node: Drawing.Node) -> String {
    let label = "\"\(node.label.mermaidEscaped)\""
    let shape =
      switch node.shape {
      case .pebble: pebble(node)
      case .junction: "((\(label)))"
      case .labeled: "([\(labeled(node))])"
      case .predicate: "{\(label)}"
      case .note: ">\(label)]"
      case .constant: "[/\(label)/]"
      }
    return "  \(node.identifier)\(shape)"
  }

  private func pebble(_ node: Drawing.Node) -> String {
    guard let status = node.status else { return "[\"\(node.label.mermaidEscaped)\"]" }
    let duration = node.duration.map { "<br/>\($0.mermaidEscaped)" } ?? ""
    return "[\"\(node.label.mermaidEscaped)\(duration)\"]:::\(status.mermaidClass)"
  }

  private func labeled(_ node: Drawing.Node) -> String {
    let lines = [node.label, node.remark].compactMap { $0?.mermaidEscaped }
    return "\"\(lines.joined(separator: "<br/>"))\""
  }

  private func line(_ line: Drawing.Line) -> String {
    let caption = line.isNegated ? "not" : line.outcomes.flatMap(\.caption)
    let label = caption.map { "|\($0)|" } ?? ""
    return "  \(line.from) \(arrow(line))\(label) \(line.to)"
  }

  private func arrow(_ line: Drawing.Line) -> String {
    if line.isDashed || line.isTaken == false || line.outcomes == .skipped { return "-.->" }
    return line.outcomes == .completed ? "==>" : "-->"
  }

  /// One class for each way of ending that looks different, and in a run under way for what is
  /// still to end.
  private static func classes(for statuses: [PebbleStatus]) -> [String] {
    if statuses.isEmpty { return [] }
    let endings = [PebbleStatus.succeeded, .failed, .skippedByCondition, .skippedByStall]
    let open = [PebbleStatus.waiting, .running].filter(statuses.contains)
    return (endings + open).map { status in
      let palette = status.palette
      let dash = status.event == .skipped ? ",stroke-dasharray:4 3" : ""
      let width = status == .running ? ",stroke-width:3px" : ""
      return "  classDef \(status.mermaidClass) "
        + "fill:\(palette.fill),stroke:\(palette.line),color:\(palette.text)\(dash)\(width)"
    }
  }
}

extension PebbleStatus {
  fileprivate var mermaidClass: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .skippedByStall: "stalled"
    case .waiting: "waiting"
    case .running: "running"
    case .skippedByCondition, .skippedByPredicate, .skippedByCancellation,
      .skippedAsDisabled, .skippedByHolder:
      "skipped"
    }
  }
}

extension String {
  /// Everything that Mermaid, or the HTML or Markdown around it, could take for its own, as a
  /// character code.
  fileprivate var mermaidEscaped: String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ", ",", "/", "\u{80}"...:
        escaped.unicodeScalars.append(scalar)
      default:
        escaped += "#\(scalar.value);"
      }
    }
    return escaped
  }
}
