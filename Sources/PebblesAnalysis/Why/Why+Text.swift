import Pebbles

extension Why: CustomStringConvertible {
  /// The tree, a line for each pebble; then one for each failure that came later, and for each
  /// limitation.
  ///
  /// Names and errors are shown on one line, shortened, and with what cannot be seen made visible.
  public var description: String {
    var tree = TextTree()
    var open: [WhyNode] = []
    for (index, node) in nodes.enumerated() {
      while let last = open.last, last.depth >= node.depth {
        tree.close(last)
        open.removeLast()
      }
      let isFirst = index == 0 || nodes[index - 1].depth < node.depth
      tree.add(node, isFirst: isFirst)
      open.append(node)
    }
    for node in open.reversed() { tree.close(node) }
    if elidedPebbles > 0 { tree.add("… and \(elidedPebbles) more behind them", depth: 0) }
    let later = lateFailures.map { "afterwards \($0)" }
    return ([tree.description] + later + limitations.map { "(\($0))" }).joined(separator: "\n")
  }
}

private struct TextTree {
  private var lines: [(depth: Int, text: String)] = []

  mutating func add(_ text: String, depth: Int) {
    lines.append((depth, text))
  }

  mutating func add(_ node: WhyNode, isFirst: Bool) {
    add(node.line(isFirst: isFirst), depth: node.depth)
    for wait in node.waits { add(wait.clause, depth: node.depth + 1) }
    if node.elidedWaits > 0 {
      add("… and \(node.elidedWaits) more wait for each other", depth: node.depth + 1)
    }
  }

  /// All that is behind a node has been added.
  mutating func close(_ node: WhyNode) {
    if node.elidedChildren > 0 { add("… and \(node.elidedChildren) more", depth: node.depth + 1) }
  }

  var description: String {
    // Whether a line further down continues a branch of this depth, found from the end.
    var continues: [Bool] = []
    var texts: [String] = []
    for line in lines.reversed() {
      while continues.count <= line.depth { continues.append(false) }
      continues.removeLast(continues.count - line.depth - 1)
      var text = ""
      for depth in 1..<max(line.depth, 1) { text += continues[depth] ? "│  " : "   " }
      if line.depth > 0 { text += continues[line.depth] ? "├─ " : "└─ " }
      continues[line.depth] = true
      texts.append(text + line.text)
    }
    return texts.reversed().joined(separator: "\n")
  }
}

extension WhyNode {
  fileprivate func line(isFirst: Bool) -> String {
    let label = label.map { "\($0.shortLiteral): " } ?? ""
    let subject = name.shortName
    switch role {
    case .subject:
      return "\(subject) \(end)"
    case .satisfied:
      return "\(label)\(isFirst ? "" : "and ")because \(subject) \(end)"
    case .falsified(let needed):
      return "\(label)\(isFirst ? "" : "or ")needs \(subject) to \(needed), but it \(end)"
    }
  }

  /// How it ended.
  private var end: String {
    let above = isShownAbove ? " (see above)" : ""
    guard let outcome else { return "held" }
    switch outcome {
    case .succeeded: return "\(cases.past(or: .succeeded))\(above)"
    case .failed(let error):
      return "\(cases.past(or: .failed))\(error.isEmpty ? "" : ": \(error.shortText)")\(above)"
    case .skipped(let reason): return end(reason, above)
    }
  }

  private func end(_ reason: SkipReason, _ above: String) -> String {
    let past = skipKind?.past ?? Event.skipped.past
    return switch reason.kind {
    case .conditionFalse:
      "\(past)\(isFalseFromStart ? ": its condition is false from the start" : above)"
    case .stalled: "\(past) in a stall\(above)"
    case .cancelled: "was skipped: the run was cancelled"
    case .disabled: "was disabled"
    case .notAskedFor: "was not asked for"
    case .resourceHeld(let holder): "\(past): \(SkipReason.clause(heldBy: holder.shortName))"
    case .notInRun: "was not in the run"
    }
  }
}
