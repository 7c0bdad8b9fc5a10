/// A drawing of a pond, independent of the language in which it is written. It consists of lines
/// and of nodes: pebbles, small junctions for nested conditions, constants, the goal, and notes
/// about faults.
struct Drawing {
  enum Shape {
    case pebble
    /// A pebble whose output is given to each run.
    case given
    case junction
    /// A junction with a label.
    case labeled
    /// The goal of the pond.
    case goal
    case constant
    case note
  }

  struct Node {
    let identifier: String
    let shape: Shape
    /// The text in the node, truncated and on one line, but not yet quoted.
    let label: String
    /// The status of a pebble in a run, or the status that represents the state of the goal.
    var status: PebbleStatus?
    /// The cases that held for a pebble in a run. If there are many, only the first few are
    /// included.
    var cases: [PebbleCase] = []
    /// The kind of skip, if the node is a pebble that was skipped in a run.
    var skipKind: SkipKind?
    /// A second text: the explanation of a pebble in a run, or the operator of a labelled junction.
    var remark: String?
    /// The reason why a pebble was skipped, or its error message, truncated to fit into the node.
    var reason: String?
    /// The time that a pebble took, or has taken so far; `nil` if it has not run.
    var duration: String?

    /// The reason why a pebble succeeded without a call to its body: *given* or *kept*; `nil` for
    /// other pebbles.
    var origin: String?
    /// The number of the cluster in which the node is drawn; `nil` if the node is outside all
    /// clusters.
    var box: Int?
  }

  struct Line {
    let from: String
    let to: String
    /// The outcomes that the line waits for; `nil` for a line from a junction, because a junction
    /// is only true or false.
    var outcomes: OutcomeSet?
    /// The text shown on the line instead of the outcomes; `nil` unless the line waits for a case
    /// or for the absence of a case.
    var caseCaption: String?
    /// Whether the line became true in a run; `nil` in a definition, and while the value of the
    /// line is undecided.
    var isTaken: Bool?
    /// Whether the line decided its target in a run.
    var isDeciding = false
  }

  let title: String
  var nodes: [Node] = []
  var lines: [Line] = []

  let pond: PondLogic
  let storage: RunStorage?

  /// The representative of each gate, which is drawn in place of the gate: an equal gate, or the
  /// gate itself.
  private(set) var drawnGates: [Int] = []

  private(set) var deciding = DecidingLines()

  /// The index of each line in `lines`, keyed by the properties that distinguish lines.
  var courses: [Course: Int] = [:]

  /// The time that a run in progress has taken so far, in nanoseconds; `nil` in other drawings.
  let now: UInt64?

  /// The gates that are drawn as the goal; `nil` if there is no goal.
  let goal: DrawnGoal?

  /// The number of the cluster in which each gate is drawn; `nil` for a gate that is drawn outside
  /// of all clusters.
  let boxes: [Int?]

  private static let longestLabel = 80

  /// The maximum length of a reason in a picture, in characters.
  private static let longestReason = 120

  /// The maximum number of cases shown for a pebble.
  private static let mostCases = 3

  /// The maximum line length of a reason, in characters.
  static let reasonWidth = 36

  /// The maximum number of pebbles with an explanation. Each explanation examines its pebble's
  /// whole condition, and many pebbles may share a large condition.
  private static let mostExplained = 200

  /// Creates the drawing of a definition or, if `storage` is given, of a run. If `now` is given,
  /// the run may still be in progress.
  init(_ pond: PondLogic, title: String, _ storage: RunStorage? = nil, now: UInt64? = nil) {
    self.now = now
    self.title = title.singleLine.truncated(to: Self.longestLabel)
    self.pond = pond
    self.storage = storage
    boxes = Self.boxesOfGates(pond.network, pond.graph.innermostClusters)
    goal = DrawnGoal(pond)
    drawnGates = EqualGates(pond, isDrawn: isJunction).representatives
    if let storage { deciding = DecidingLines(storage) }
    addPebbles()
    addJunctions()
    addGoal()
    addLines()
    for (number, fault) in pond.faults.enumerated() {
      let label = fault.description.singleLine.truncated(to: 3 * Self.longestLabel)
      nodes.append(Node(identifier: "n\(number)", shape: .note, label: label))
    }
  }

  private mutating func addPebbles() {
    // Read first: otherwise, a blocked pebble that is skipped in the meantime could seem to be not
    // needed.
    let statuses = storage.map { pond.graph.names.indices.map($0.state.status(of:)) }
    let explanation = storage.map(Explanation.init)
    let blocked = storage?.blocked
    var explainedCount = 0
    for pebble in pond.graph.names.indices {
      let name = pond.graph.shortName(of: pebble, in: boxes[pebble])
      let isGiven = pond.properties.pebbles[UInt32(pebble)]?.isGiven == true
      var node = Node(
        identifier: "p\(pebble)", shape: isGiven ? .given : .pebble, label: Self.label(name))
      node.box = boxes[pebble]
      if let storage, let status = statuses?[pebble] {
        node.status = status
        node.cases = Array(storage.state.cases(of: pebble).prefix(Self.mostCases))
        node.skipKind = blocked?.skipKind(of: pebble, status)
        if status == .succeeded {
          node.origin = isGiven ? "given" : storage.kept[pebble] == nil ? nil : "kept"
        }
        if node.origin == nil { node.duration = duration(of: pebble, status) }
        if status.isSettled, status != .succeeded, explainedCount < Self.mostExplained {
          explainedCount += 1
          let sentence = explanation?.sentence(for: pebble).singleLine
          node.remark = sentence?.truncated(to: 3 * Self.longestLabel)
          let error = storage.values.error(at: pebble).map { "\($0)".truncated(to: 500) }
          let reason = explanation?.skipReason(of: pebble) ?? error
          node.reason = reason?.singleLine.truncated(to: Self.longestReason)
        }
      }
      nodes.append(node)
    }
  }

  /// Returns the time that a pebble took, or has taken so far; `nil` if it has not started.
  private func duration(of pebble: Int, _ status: PebbleStatus) -> String? {
    guard let storage else { return nil }
    switch status {
    case .succeeded, .failed: return PebbleRecord(storage, pebble).duration?.brief
    case .running:
      let started = storage.state.startTime(of: pebble)
      return now.map { ($0 - min($0, started)).asNanoseconds.brief }
    case .waiting, .skippedByCondition, .skippedByStall, .skippedByCancellation,
      .skippedAsDisabled, .skippedAsNotAskedFor, .skippedByHolder:
      return nil
    }
  }

  /// Returns whether a gate is true; `nil` in a definition, and while the gate is undecided in a
  /// run in progress. In a finished run, an undecided gate counts as false.
  func isTrue(gate: Int) -> Bool? {
    storage.flatMap { $0.state.value(ofGate: gate) ?? (now == nil ? false : nil) }
  }

  /// Adds nodes for gates and constants. A pebble's root AND gets no node, because its operands'
  /// lines can lead to the pebble itself.
  private mutating func addJunctions() {
    for gate in 0..<pond.network.rowCount where isJunction(gate) {
      if drawnGates[gate] == gate { nodes.append(junctionNode(gate)) }
      if gate < pond.network.pebbleCount {
        lines.append(
          Line(
            from: junction(gate), to: "p\(gate)", isTaken: isTrue(gate: gate),
            isDeciding: deciding.gates.contains(gate)))
      }
    }
    for (number, edge) in pond.network.constants.enumerated() {
      let value = edge.outcomes.contains(.succeeded)
      var node = Node(
        identifier: "c\(number)", shape: .constant, label: value ? "always" : "never")
      node.box = boxes[edge.gate]
      nodes.append(node)
      lines.append(
        Line(from: "c\(number)", to: target(edge.gate), isTaken: storage.map { _ in value }))
    }
  }

  private func junctionNode(_ gate: Int) -> Node {
    let word = pond.network.kinds[gate] == .any ? "or" : "and"
    let label = pond.network.labels[gate].map(Self.label)
    var node = Node(
      identifier: junction(gate), shape: label == nil ? .junction : .labeled, label: label ?? word)
    node.box = boxes[gate]
    if label != nil, pond.network.operandCounts[gate] > 1 { node.remark = word }
    return node
  }

  /// Returns whether a gate is drawn as a separate node, and is neither a case nor the goal.
  private func isJunction(_ gate: Int) -> Bool {
    hasJunction(gate) && !pond.network.cases.rows.contains(gate) && goal?.contains(gate) != true
  }

  /// Returns whether lines to a gate lead to a junction or the goal, rather than to a pebble.
  private func hasJunction(_ gate: Int) -> Bool {
    guard gate < pond.network.pebbleCount, pond.network.labels[gate] == nil else { return true }
    return pond.network.kinds[gate] == .any && pond.network.operandCounts[gate] > 1
  }

  static func label(_ text: String) -> String {
    text.singleLine.truncated(to: longestLabel)
  }

  func junction(_ gate: Int) -> String {
    goal?.contains(gate) == true ? DrawnGoal.identifier : "g\(drawnGates[gate])"
  }

  func target(_ gate: Int) -> String {
    hasJunction(gate) ? junction(gate) : "p\(gate)"
  }
}
