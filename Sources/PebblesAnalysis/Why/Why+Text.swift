import Pebbles

extension Why: CustomStringConvertible {
  /// The tree, with one line for each node and each wait, followed by one line for each later
  /// failure and each limitation.
  ///
  /// Names and errors are shortened, and their line breaks and invisible characters are replaced
  /// with visible ones.
  public var description: String { (tree.lines + remarks).joined(separator: "\n") }

  /// Returns the lines of ``description`` if there are at most `most`. Otherwise, returns a
  /// selection of at most `most` lines: the lines nearest to the top of the tree, then the root
  /// causes, then the first remarks below the tree. The remarks take up at most a third of the
  /// lines, unless the tree leaves more room.
  ///
  /// - Parameter most: The maximum number of lines; at least three.
  /// - Returns: The lines, and the number of omitted lines.
  package func lines(atMost most: Int) -> (lines: [String], omitted: Int) {
    let (tree, remarks) = (tree, remarks)
    guard tree.count + remarks.count > most else { return (tree.lines + remarks, 0) }
    let root = [roots].compactMap(\.self)
    let last = remarks.prefix(max(most / 3, most - root.count - tree.count))
    let nearest = tree.nearest(most - root.count - last.count)
    return (
      nearest.lines + root + last, tree.count - nearest.count + remarks.count - last.count
    )
  }

  /// The remarks below the tree: later failures and limitations.
  private var remarks: [String] {
    lateFailures.map { "afterwards \($0)" } + limitations.map { "(\($0))" }
  }

  private var tree: TextTree {
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
    return tree
  }
}

private struct TextTree {
  private var entries: [(depth: Int, text: String)] = []

  var count: Int { entries.count }

  mutating func add(_ text: String, depth: Int) {
    entries.append((depth, text))
  }

  mutating func add(_ node: WhyNode, isFirst: Bool) {
    add(node.line(isFirst: isFirst), depth: node.depth)
    for wait in node.waits { add(wait.clause, depth: node.depth + 1) }
    if node.elidedWaits > 0 {
      add("… and \(node.elidedWaits) more wait for each other", depth: node.depth + 1)
    }
  }

  /// Adds a line with the number of a node's omitted children, if there are any. The line comes
  /// after all other lines below the node.
  mutating func close(_ node: WhyNode) {
    if node.elidedChildren > 0 { add("… and \(node.elidedChildren) more", depth: node.depth + 1) }
  }

  /// Returns at most `most` lines of the tree: those nearest to its top, in the same order.
  func nearest(_ most: Int) -> TextTree {
    // The remark about the whole tree has the depth of the top line, but comes last here.
    let distance = { (place: Int) in
      place > 0 && entries[place].depth == 0 ? Int.max : entries[place].depth
    }
    let order = entries.indices.sorted { (distance($0), $0) < (distance($1), $1) }
    var tree = TextTree()
    tree.entries = order.prefix(most).sorted().map { entries[$0] }
    return tree
  }

  var lines: [String] {
    // For each depth, whether a later line continues the branch. The loop begins at the last line.
    var continues: [Bool] = []
    var texts: [String] = []
    for line in entries.reversed() {
      while continues.count <= line.depth { continues.append(false) }
      continues.removeLast(continues.count - line.depth - 1)
      var text = ""
      for depth in 1..<max(line.depth, 1) { text += continues[depth] ? "│  " : "   " }
      if line.depth > 0 { text += continues[line.depth] ? "├─ " : "└─ " }
      continues[line.depth] = true
      texts.append(text + line.text)
    }
    return texts.reversed()
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

  /// The outcome of the pebble, worded to follow its name in a sentence: `failed: no route`.
  private var end: String {
    let above = isShownAbove ? " (see above)" : ""
    switch outcome {
    case .succeeded: return "\(cases.past(or: .succeeded))\(above)"
    case .failed(let error):
      return "\(cases.past(or: .failed))\(error.isEmpty ? "" : ": \(error.shortText)")\(above)"
    case .skipped(let reason): return end(reason, above)
    }
  }

  private func end(_ reason: SkipReason, _ above: String) -> String {
    let past = skipKind?.past ?? Event.skipped.past
    return switch reason {
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
