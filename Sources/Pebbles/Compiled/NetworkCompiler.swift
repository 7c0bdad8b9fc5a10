/// Compiles the conditions of a graph into a `ReadinessNetwork`.
///
/// Works through each condition with a list instead of recursion, pushing negations down to the
/// atoms (De Morgan) and melting an AND inside an AND, or an OR inside an OR, into one gate.
/// Labelled sub-expressions keep a gate of their own, and so do large ones that are used more than
/// once: written out, a condition such as `c = c && c`, sixty times over, would not fit into any
/// memory.
struct NetworkCompiler {
  private let graph: PondGraph
  private let conditions: ConditionTable
  private let cases: CaseRows
  private var builder: NetworkBuilder
  private var sharing: SharedNodes
  private var pending: [Operand] = []

  /// Mentions of pebbles of other ponds. They are left out of the network.
  private(set) var mentionFaults = MentionFaults()

  /// A nested expression still to be wired to a gate. The graph keeps the node alive.
  private struct Operand {
    let node: Unmanaged<Compound>
    let isNegated: Bool
    let gate: Int
  }

  init(_ graph: PondGraph) {
    self.graph = graph
    conditions = graph.conditions
    cases = CaseRows(graph.cases, pebbleCount: graph.names.count)
    builder = NetworkBuilder(
      pebbleCount: graph.names.count, cases: cases, expectedGates: graph.conditions.packedCount)
    sharing = SharedNodes(smallest: graph.conditions.smallestShared)
  }

  mutating func compile() -> ReadinessNetwork {
    // All before any is compiled: what a later pebble shares with an earlier one would otherwise be
    // written out for the earlier one, down to the last atom, once for each such pebble.
    conditions.forEachKept { condition in
      if case .compound(let node) = condition.expression { sharing.note(node) }
    }
    if case .compound(let node)? = graph.goal?.expression { sharing.note(node) }
    for pebble in 0..<graph.names.count {
      let condition = conditions[pebble]
      if !graph.needs.isEmpty, let implied = graph.needs[UInt32(pebble)] {
        // A pebble with inputs waits for what they imply and for its own condition.
        add(implied, to: pebble)
        if !condition.isAlways { add(condition, to: pebble) }
      } else if condition.isAtom {
        builder.addEdge(from: condition.pebble, to: pebble, condition.outcomes)
      } else if condition.isAlways {
        builder.addInitiallyReady(pebble)
      } else {
        setRoot(of: pebble, to: condition)
      }
    }
    if let goal = graph.goal {
      wire(goal, isNegated: false, to: builder.addGoal(), of: nil)
      wirePending(of: nil)
    }
    return builder.network()
  }

  /// Makes a condition, and nothing else, the root of a pebble, which then computes what the
  /// condition does at its top.
  private mutating func setRoot(of pebble: Int, to condition: ConditionTable.Word) {
    switch condition.kind {
    case .constant: builder.addConstant(condition.value == 1, to: pebble)
    case .packed:
      builder.setRoot(of: pebble, kind(at: condition.value))
      wirePacked(condition.value, isNegated: false, to: pebble)
    case .kept: setRoot(of: pebble, to: conditions.kept(condition))
    case .all, .any, .not: preconditionFailure("an operator stands alone, without its operands")
    }
  }

  private mutating func setRoot(of pebble: Int, to condition: Condition) {
    guard case .compound(let node) = condition.expression else {
      return wire(condition, isNegated: false, to: pebble, of: pebble)
    }
    builder.setRoot(of: pebble, GateKind(of: node, isNegated: false))
    // The root belongs to this pebble alone, so a label at the top is a label of the root, unless
    // other pebbles have the same condition.
    if case .labeled(let label) = node.operation, !sharing.isShared(node) {
      builder.setLabel(label, of: pebble)
      wireOperands(of: node, isNegated: false, to: pebble, of: pebble)
    } else {
      wire(condition, isNegated: false, to: pebble, of: pebble)
    }
    wirePending(of: pebble)
  }

  /// Makes a condition one operand of the root of a pebble, which is an AND.
  private mutating func add(_ condition: ConditionTable.Word, to pebble: Int) {
    if condition.isAtom {
      return builder.addEdge(from: condition.pebble, to: pebble, condition.outcomes)
    }
    switch condition.kind {
    case .constant: builder.addConstant(condition.value == 1, to: pebble)
    case .packed: wirePacked(condition.value, isNegated: false, to: pebble)
    case .kept:
      let condition = conditions.kept(condition)
      wire(condition, isNegated: false, to: pebble, of: pebble)
      wirePending(of: pebble)
    case .all, .any, .not: preconditionFailure("an operator stands alone, without its operands")
    }
  }

  // MARK: Packed conditions

  /// What the packed expression at a position computes, with its negations pushed down.
  private func kind(at position: Int) -> GateKind {
    var position = position
    var isNegated = false
    while true {
      let word = conditions.operand(at: position)
      guard !word.isAtom else { return .all }
      switch word.kind {
      case .all: return isNegated ? .any : .all
      case .any: return isNegated ? .all : .any
      case .not: isNegated.toggle()
      case .constant, .packed, .kept: return .all
      }
      position += 1
    }
  }

  /// Wires the packed expression at a position. They are of limited depth, hence the recursion.
  ///
  /// - Returns: The position behind it.
  @discardableResult
  private mutating func wirePacked(_ start: Int, isNegated: Bool, to target: Int) -> Int {
    let word = conditions.operand(at: start)
    var position = start + 1
    if word.isAtom {
      let outcomes = isNegated ? word.outcomes.complement : word.outcomes
      builder.addEdge(from: word.pebble, to: target, outcomes)
      return position
    }
    switch word.kind {
    case .constant:
      builder.addConstant((word.value == 1) != isNegated, to: target)
    case .not:
      position = wirePacked(position, isNegated: !isNegated, to: target)
    case .all, .any:
      let kind: GateKind = (word.kind == .any) != isNegated ? .any : .all
      let gate =
        builder.kinds[target] == kind ? target : builder.addGate(kind, feeding: target)
      if word.value == 0 { builder.addConstant(kind == .all, to: gate) }
      for _ in 0..<word.value { position = wirePacked(position, isNegated: isNegated, to: gate) }
    case .packed, .kept:
      preconditionFailure("a packed condition refers to another one")
    }
    return position
  }

  // MARK: Conditions kept as they were given

  private mutating func wirePending(of pebble: Int?) {
    while let operand = pending.popLast() {
      operand.node._withUnsafeGuaranteedRef { node in
        wire(node, isNegated: operand.isNegated, to: operand.gate, of: pebble)
      }
    }
  }

  /// Wires an atom or a constant at once; most operands are atoms. What nests has to wait.
  @inline(__always)
  private mutating func wire(
    _ condition: borrowing Condition, isNegated: Bool, to gate: Int, of pebble: Int?
  ) {
    switch condition.expression {
    case .constant(let value):
      builder.addConstant(value != isNegated, to: gate)
    case .atom(let atom):
      guard graph.definition.includes(atom.pebble) else {
        return mentionFaults.note(atom.pebble, mentionedBy: pebble.map { graph.names[$0] })
      }
      wire(isNegated ? atom.complement : atom, to: gate, of: pebble)
    case .compound(let node):
      pending.append(
        Operand(node: .passUnretained(node), isNegated: isNegated, gate: gate))
    }
  }

  @inline(__always)
  private mutating func wire(_ atom: Atom, to gate: Int, of pebble: Int?) {
    let source = Int(atom.pebble.index)
    guard let place = atom.casePlace else {
      return builder.addEdge(from: source, to: gate, atom.outcomes)
    }
    let rows = cases.rows(of: source)
    guard place < rows.count else {
      return mentionFaults.note(caseOf: atom.pebble, mentionedBy: pebble.map { graph.names[$0] })
    }
    let value: OutcomeSet = atom.isNegatedCase ? OutcomeSet.succeeded.complement : .succeeded
    builder.addEdge(from: rows.lowerBound + place, to: gate, value)
  }

  private mutating func wireOperands(
    of node: Compound, isNegated: Bool, to gate: Int, of pebble: Int?
  ) {
    node.forEachOperand { wire($0, isNegated: isNegated, to: gate, of: pebble) }
  }

  private mutating func wire(_ node: Compound, isNegated: Bool, to target: Int, of pebble: Int?) {
    let kind = GateKind(of: node, isNegated: isNegated)
    var gate = target
    if sharing.isShared(node) {
      if let known = sharing.gate(of: node, isNegated: isNegated) {
        return builder.addEdge(from: known, to: target, .succeeded)
      }
      gate = builder.addGate(kind, feeding: target)
      sharing.remember(gate, of: node, isNegated: isNegated)
    }
    switch node.operation {
    case .all, .any:
      if builder.kinds[gate] != kind { gate = builder.addGate(kind, feeding: gate) }
      if node.operandCount == 0 { builder.addConstant(kind == .all, to: gate) }
      wireOperands(of: node, isNegated: isNegated, to: gate, of: pebble)
    case .not:
      wireOperands(of: node, isNegated: !isNegated, to: gate, of: pebble)
    case .labeled(let label):
      if gate == target { gate = builder.addGate(kind, feeding: target) }
      builder.setLabel(isNegated ? "not \(label)" : label, of: gate)
      wireOperands(of: node, isNegated: isNegated, to: gate, of: pebble)
    }
  }
}

extension GateKind {
  /// The gate that fits an expression, so that it needs no second one inside.
  fileprivate init(of node: Compound, isNegated: Bool) {
    self = node.isDisjunction != isNegated ? .any : .all
  }
}
