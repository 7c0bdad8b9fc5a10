import Pebbles

/// A builder for a `Why`. It first finds the pebbles that caused the outcome, nearest first, and
/// then builds a tree, depth first, from the pebbles that fit within the limits.
struct WhyBuilder {
  let replay: Replay
  let history: DecisionHistory
  let subject: Int

  /// The limits on the size of an explanation.
  struct Room {
    let pebbles: Int

    /// The maximum number of pebbles to show for one condition or one wait.
    let children: Int

    static let usual = Room(pebbles: 100, children: 20)

    /// The limits for an explanation with as many pebbles as possible. The size is still limited,
    /// because lines deeper in the tree are longer.
    static let all = Room(pebbles: 1_000, children: 1_000)
  }

  private let room: Room

  private static let mostWaits = 20

  private let skipKinds: [SkipKind?]
  private var nodes: [WhyNode] = []

  /// The pebbles that caused the outcome and fit into the tree.
  private var shown: Set<Int> = []
  private var partCount = 0

  /// The pebbles that already have a node in the tree. Only the first node of a pebble has
  /// children.
  private var expanded: Set<Int> = []

  private struct Pending {
    let pebble: Int
    let depth: Int
    let role: WhyNode.Role
    let label: String?
  }

  init(_ replay: Replay, subject: Int, in room: Room = .usual) {
    self.replay = replay
    self.room = room
    self.subject = subject
    history = replay.decisionHistory()
    skipKinds = replay.run.skipKinds
  }

  /// Builds the explanation.
  ///
  /// - Complexity: O(*n*), where *n* is the number of pebbles and atoms that caused the outcome.
  mutating func why() -> Why {
    findParts()
    var pending = [
      Pending(pebble: subject, depth: 0, role: .subject, label: nil)
    ]
    while let next = pending.popLast() { pending += add(next).reversed() }
    let words = WhySentence(replay, history, skipKinds)
    return Why(
      nodes: nodes, elidedPebbles: partCount - expanded.count,
      sentence: words.sentence(for: subject, nodes[0]), roots: words.roots(for: subject))
  }

  /// Finds the pebbles that caused the outcome, breadth first. From a pebble in the tree, the
  /// search continues with the pebbles in its deciding clause. From any other pebble, the search
  /// continues with the gates of the pebble's condition, and visits each shared gate only once.
  private mutating func findParts() {
    let network = history.state.network
    var known: Set<Int> = [subject]
    var found = [subject]
    var next = 0
    while next < found.count {
      let row = found[next]
      next += 1
      var deciders: [Int]?
      switch network.kind(ofRow: row) {
      case .pebble:
        partCount += 1
        let isShown = shown.count < room.pebbles
        if isShown { shown.insert(row) }
        guard isAskedFurther(row) else { continue }
        if isShown { deciders = DecidingClause(of: row, history).literals.map(\.pebble) }
      case .pebbleCase, .gate: break
      }
      for decider in deciders ?? history.rows(deciding: row) where known.insert(decider).inserted {
        found.append(decider)
      }
    }
  }

  /// Returns whether to search for the causes of a pebble's outcome. The error of a failed pebble
  /// already explains the failure, so the causes are needed only if the pebble is the subject of
  /// the explanation.
  private func isAskedFurther(_ pebble: Int) -> Bool {
    pebble == subject || history.state.status(of: pebble) != .failed
  }

  /// Adds a node.
  ///
  /// - Returns: The nodes to add below this node.
  private mutating func add(_ next: Pending) -> [Pending] {
    let pebble = next.pebble
    var node = node(next)
    defer { nodes.append(node) }
    let clause = isAskedFurther(pebble) ? DecidingClause(of: pebble, history) : nil
    guard expanded.insert(pebble).inserted else {
      node.isShownAbove = clause?.literals.isEmpty == false || node.outcome.isStalled
      return []
    }
    if history.state.status(of: pebble) == .skippedByStall { addWaits(of: pebble, to: &node) }
    guard let clause else { return [] }
    node.isFalseFromStart =
      clause.literals.isEmpty && history.state.status(of: pebble) == .skippedByCondition
    let isFalse = history.state.status(of: pebble).event == .skipped
    let known = clause.literals.filter { shown.contains($0.pebble) }.prefix(room.children)
    node.elidedChildren = clause.literals.count - known.count
    return known.map { atom in
      let role: WhyNode.Role =
        isFalse ? .falsified(needed: atom.infinitive) : .satisfied
      return Pending(
        pebble: atom.pebble, depth: next.depth + 1, role: role, label: atom.label)
    }
  }

  private func node(_ pending: Pending) -> WhyNode {
    let record = replay.run.pebbles[pending.pebble]
    var node = WhyNode(
      position: pending.pebble, name: record.name, outcome: record.outcome,
      depth: pending.depth, role: pending.role, label: pending.label)
    node.skipKind = skipKinds[pending.pebble]
    node.cases = record.cases
    return node
  }

  private func addWaits(of pebble: Int, to node: inout WhyNode) {
    let waits = StalledCycle(of: pebble, replay, history).waits.filter { !$0.awaited.isEmpty }
    node.waits = waits.prefix(Self.mostWaits).map { wait in
      WhyNode.Wait(
        pebble: replay.run.pebbles[wait.pebble].name,
        awaited: wait.awaited.prefix(room.children).map { replay.run.pebbles[$0].name })
    }
    node.elidedWaits = waits.count - node.waits.count
  }
}

extension RecordedOutcome {
  fileprivate var isStalled: Bool {
    if case .skipped(let reason) = self { reason.isStalled } else { false }
  }
}
