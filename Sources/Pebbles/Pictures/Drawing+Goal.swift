/// The gates that are drawn together as the goal's node, starting with the goal's gate. A gate
/// without a label is merged with its only operand if that operand is a gate used nowhere else.
struct DrawnGoal {
  static let identifier = "goal"

  /// The gates, from the goal downwards.
  private let gates: [Int]
  let label: String?
  let kind: GateKind
  let operandCount: Int

  /// Creates the drawn goal of a pond. Returns `nil` if the pond has no goal.
  init?(_ pond: PondLogic) {
    let network = pond.network
    guard let goal = network.goal else { return nil }
    var gates = [goal]
    var label: String?
    while label == nil, let gate = gates.last, network.operandCounts[gate] == 1,
      let inner = pond.operands.source(of: gate, at: 0), network.kind(ofRow: inner) == .gate,
      network.edges(from: inner).count == 1
    {
      gates.append(inner)
      label = network.labels[inner]
    }
    let last = gates[gates.count - 1]
    self.gates = gates
    self.label = label
    kind = network.kinds[last]
    operandCount = Int(network.operandCounts[last])
  }

  func contains(_ gate: Int) -> Bool { gates.contains(gate) }
}

extension Drawing {
  mutating func addGoal() {
    guard let goal, let gate = pond.network.goal else { return }
    let label = goal.label.map { ": \(Self.label($0))" } ?? ""
    var node = Node(identifier: DrawnGoal.identifier, shape: .goal, label: "goal\(label)")
    if goal.kind == .any, goal.operandCount > 1 { node.remark = "any of" }
    if let storage, storage.state.goal != nil {
      node.status = isTrue(gate: gate).map { $0 ? .succeeded : .failed } ?? .waiting
    }
    nodes.append(node)
  }
}

extension Drawing.Line {
  /// The text on the line; `nil` if the line represents a success, or comes from a junction or a
  /// constant.
  var caption: String? { caseCaption ?? outcomes.flatMap(\.caption) }
}

extension Drawing.Node {
  /// The state of the goal in a run, *reached* or *not reached*; `nil` if the goal is undecided.
  var goalWord: String? {
    switch status {
    case .succeeded: "reached"
    case .failed: "not reached"
    default: nil
    }
  }

  /// A description of the pebble's status in a run, with its duration or origin, such as
  /// `"failed after 120 ms"`. For a success without a case, the status is omitted: `"120 ms"`. The
  /// string is empty in the drawing of a definition.
  var ending: String {
    guard let status else { return "" }
    let palette = status.palette(isBlocked: skipKind == .blocked)
    let word = endingWord ?? (status == .succeeded ? nil : palette.word)
    if let origin { return [word, origin].compactMap(\.self).joined(separator: ", ") }
    return [word, duration]
      .compactMap(\.self).joined(separator: status == .running ? " for " : " after ")
  }

  /// A description of how the pebble ended, with the cases that hold, such as *failed as locked* or
  /// *with heads*; `nil` if no case holds.
  var endingWord: String? {
    guard let event = status?.event, !cases.isEmpty else { return nil }
    return event == .succeeded
      ? cases.map(\.caption).joined(separator: " and ") : cases.past(or: event)
  }
}
