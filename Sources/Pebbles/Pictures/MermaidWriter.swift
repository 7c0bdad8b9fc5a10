/// A writer of drawings as Mermaid flowcharts, which GitHub and many other programs show in
/// Markdown.
struct MermaidWriter {
  private let drawing: Drawing
  private let hasReasons: Bool

  init(_ drawing: Drawing, hasReasons: Bool = false) {
    self.drawing = drawing
    self.hasReasons = hasReasons
  }

  func text() -> String {
    let classes = Self.classes(for: drawing.nodes.compactMap(\.status))
    let lines = drawing.outline.map(step) + drawing.lines.map(line) + lineStyles
    return (["flowchart LR"] + lines + classes).joined(separator: "\n") + "\n"
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
      case .pebble: "[\(pebble(node))]\(style(node))"
      // The symbol for data in flow charts (ISO 5807).
      case .given: "[/\(pebble(node))/]\(style(node))"
      case .junction: "((\(label)))"
      case .labeled: "([\(labeled(node))])"
      case .goal: goal(node)
      case .note: ">\(label)]"
      case .constant: "[/\(label)/]"
      }
    return "  \(node.identifier)\(shape)"
  }

  private func pebble(_ node: Drawing.Node) -> String {
    guard node.status != nil else { return "\"\(node.label.mermaidEscaped)\"" }
    let reason = hasReasons ? node.reason?.wrapped(at: Drawing.reasonWidth) ?? [] : []
    let ending =
      node.origin.map { [node.endingWord, $0].compactMap(\.self).joined(separator: ", ") }
      ?? [node.endingWord, node.duration].compactMap(\.self).joined(separator: " after ")
    let lines = [node.label] + (ending.isEmpty ? [] : [ending]) + reason
    let text = lines.map(\.mermaidEscaped).joined(separator: "<br/>")
    return "\"\(text)\""
  }

  private func style(_ node: Drawing.Node) -> String {
    node.status.map { ":::\(MermaidClass($0, isBlocked: node.skipKind == .blocked).name)" } ?? ""
  }

  private func labeled(_ node: Drawing.Node) -> String {
    let lines = [node.label, node.remark].compactMap { $0?.mermaidEscaped }
    return "\"\(lines.joined(separator: "<br/>"))\""
  }

  private func goal(_ node: Drawing.Node) -> String {
    let lines = [node.label, node.remark, node.goalWord].compactMap { $0?.mermaidEscaped }
    return "{{\"\(lines.joined(separator: "<br/>"))\"}}\(style(node))"
  }

  private func line(_ line: Drawing.Line) -> String {
    let label = line.caption.map { "|\($0.mermaidEscaped)|" } ?? ""
    return "  \(line.from) \(arrow(line))\(label) \(line.to)"
  }

  /// Returns the arrow of a line. A cross means that the line did not become true. A thick line
  /// means that the line decided its target. The text on the line names the outcome.
  private func arrow(_ line: Drawing.Line) -> String {
    let head = line.isTaken == false ? "x" : ">"
    return line.isDeciding ? "==\(head)" : "--\(head)"
  }

  /// The style of the pale lines, which neither became true nor decided their targets. The array is
  /// empty if there are no pale lines.
  private var lineStyles: [String] {
    let pale = drawing.lines.indices.filter {
      drawing.lines[$0].isTaken == false && !drawing.lines[$0].isDeciding
    }
    if pale.isEmpty { return [] }
    let numbers = pale.map(String.init).joined(separator: ",")
    return ["  linkStyle \(numbers) stroke:#9e9e9e,stroke-width:1px"]
  }

  /// Returns the class definitions: one for each way in which settled pebbles are drawn, and one
  /// for each status of the other pebbles.
  private static func classes(for statuses: [PebbleStatus]) -> [String] {
    if statuses.isEmpty { return [] }
    let endings = [
      MermaidClass(.succeeded), MermaidClass(.failed), MermaidClass(.skippedByCondition),
      MermaidClass(.skippedByCondition, isBlocked: true),
      MermaidClass(.skippedByStall, isBlocked: true),
    ]
    let open = [PebbleStatus.waiting, .running].filter(statuses.contains)
    return (endings + open.map { MermaidClass($0) }).map { kind in
      let palette = kind.status.palette(isBlocked: kind.isBlocked)
      let dash = kind.status.event == .skipped ? ",stroke-dasharray:4 3" : ""
      let strength = kind.status == .running ? 3 : kind.isBlocked ? 2 : 0
      let width = strength > 0 ? ",stroke-width:\(strength)px" : ""
      return "  classDef \(kind.name) "
        + "fill:\(palette.fill),stroke:\(palette.line),color:\(palette.text)\(dash)\(width)"
    }
  }
}

/// A class of pebbles that look alike.
private struct MermaidClass {
  let status: PebbleStatus
  let isBlocked: Bool

  init(_ status: PebbleStatus, isBlocked: Bool = false) {
    self.status = status
    self.isBlocked = isBlocked
  }

  var name: String {
    switch status {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .skippedByStall: "stalled"
    case .waiting: "waiting"
    case .running: "running"
    case .skippedByCondition, .skippedByCancellation, .skippedAsDisabled, .skippedAsNotAskedFor,
      .skippedByHolder:
      isBlocked ? "blocked" : "skipped"
    }
  }
}

extension String {
  /// The string, with a code in place of each character that could be interpreted by Mermaid, or by
  /// the surrounding HTML or Markdown.
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
