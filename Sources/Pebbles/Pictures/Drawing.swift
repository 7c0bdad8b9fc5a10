/// A pond as nodes and lines, before it is written in any language: pebbles, small junctions where
/// a condition nests, and constants.
struct Drawing {
  enum Shape {
    case pebble
    /// A pebble that runs are given.
    case given
    case junction(GateKind)
    /// A junction with a name of its own.
    case labeled(GateKind)
    /// What a run is for.
    case goal
    case constant(Bool)
    case note
  }

  struct Node {
    let identifier: String
    let shape: Shape
    /// What is written in it; made safe to show, not yet to be quoted.
    let label: String
    /// For a pebble of a run, how it ended; for the goal of one, as what stands for that.
    var status: PebbleStatus?
    /// For a pebble of a run, the first of its cases that held.
    var cases: [PebbleCase] = []
    /// For a pebble of a run that was skipped, whether that matters.
    var skipKind: SkipKind?
    /// What is said of it besides the label: of a pebble of a run, why it ended so; of a labelled
    /// junction, what it does.
    var remark: String?
    /// Why a pebble of a run was skipped, or what its error said, as a clause to be written in it.
    var reason: String?
    /// For a pebble that ran, how long it took.
    var duration: String?

    /// Why a pebble of a run that succeeded was not called: *given*, or *kept*.
    var origin: String?
    /// The number of the cluster it is drawn in.
    var box: Int?
  }

  struct Line {
    let from: String
    let to: String
    /// The outcomes waited for; `nil` behind a junction, which has only true and false.
    var outcomes: OutcomeSet?
    /// What is written at it instead of the outcomes, if it waits for a case or for not one.
    var caseCaption: String?
    /// In a run, whether what the line waits for came true; `nil` in a definition.
    var isTaken: Bool?
    /// In a run, whether it decided the condition of the pebble that it leads to.
    var isDeciding = false
  }

  let title: String
  var nodes: [Node] = []
  var lines: [Line] = []

  let pond: PondLogic
  let storage: RunStorage?

  /// By gate, the one that is drawn for it.
  private(set) var drawnGates: [Int] = []

  private(set) var deciding = DecidingLines()

  /// The lines that go from one node to another, by what tells them apart.
  var courses: [Course: Int] = [:]

  /// How long a run under way has taken so far, in nanoseconds.
  let now: UInt64?

  /// The goal, and what it is made of.
  let goal: DrawnGoal?

  /// By gate, the number of the cluster it is drawn in.
  let boxes: [Int?]

  private static let longestLabel = 80

  /// Of reasons written in a picture, in characters.
  private static let longestReason = 120

  /// Of the cases of a pebble that held.
  private static let mostCases = 3

  /// How many characters of a reason stand in a line.
  static let reasonWidth = 36

  /// An explanation walks a whole condition, and there is no end to how many pebbles can share one.
  private static let mostExplained = 200

  /// Draws a definition or, with `storage`, a run: one that has ended or, with `now`, one that may
  /// be under way.
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
    let explanation = storage.map(Explanation.init)
    let blocked = storage?.blocked
    var explainedCount = 0
    for pebble in pond.graph.names.indices {
      let name = pond.graph.shortName(of: pebble, in: boxes[pebble])
      let isGiven = pond.properties.pebbles[UInt32(pebble)]?.isGiven == true
      var node = Node(
        identifier: "p\(pebble)", shape: isGiven ? .given : .pebble, label: Self.label(name))
      node.box = boxes[pebble]
      if let storage {
        let status = storage.state.status(of: pebble)
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

  /// How long a pebble took, or has taken so far.
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

  /// Whether a gate is true; `nil` in a definition, and while it may still become so.
  func isTrue(gate: Int) -> Bool? {
    storage.flatMap { $0.state.value(ofGate: gate) ?? (now == nil ? false : nil) }
  }

  /// A gate is drawn unless it is the root AND of a pebble, whose operands can lead to the pebble
  /// itself.
  private mutating func addJunctions() {
    for gate in 0..<pond.network.gateCount where isJunction(gate) {
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
        identifier: "c\(number)", shape: .constant(value), label: value ? "always" : "never")
      node.box = boxes[edge.gate]
      nodes.append(node)
      lines.append(
        Line(from: "c\(number)", to: target(edge.gate), isTaken: storage.map { _ in value }))
    }
  }

  private func junctionNode(_ gate: Int) -> Node {
    let kind = pond.network.kinds[gate]
    let word = kind == .any ? "or" : "and"
    guard let label = pond.network.labels[gate] else {
      var node = Node(identifier: junction(gate), shape: .junction(kind), label: word)
      node.box = boxes[gate]
      return node
    }
    var node = Node(
      identifier: junction(gate), shape: .labeled(kind), label: Self.label(label))
    node.box = boxes[gate]
    if pond.network.operandCounts[gate] > 1 { node.remark = word }
    return node
  }

  /// Whether a gate has a node of its own, and is neither a case nor the goal.
  private func isJunction(_ gate: Int) -> Bool {
    hasJunction(gate) && !pond.network.cases.rows.contains(gate) && goal?.contains(gate) != true
  }

  /// Whether lines to a gate lead to another node than a pebble.
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
