/// A compiler that turns the conditions of a graph into a `ReadinessNetwork`.
///
/// The compiler processes the operands of each condition in the order in which they are written. A
/// condition read from a file therefore produces the same gates, in the same order, as the
/// original. Conditions in tree form may be deep, so they are compiled with a list instead of
/// recursion. Negations are pushed down to the atoms (De Morgan), and an AND inside an AND, or an
/// OR inside an OR, is merged into one gate.
///
/// Labelled sub-expressions are not merged. Neither are large sub-expressions that are used more
/// than once: if they were, a condition built by repeating `c = c && c` sixty times would not fit
/// into memory.
struct NetworkCompiler: ~Copyable {
  private let graph: PondGraph
  private let conditions: ConditionTable
  private let cases: CaseRows
  private var builder: NetworkBuilder
  private var sharing: SharedNodes
  private var pending: [Operands] = []

  /// The faults for mentions that cannot be compiled and are therefore omitted from the network.
  private(set) var mentionFaults = MentionFaults()

  /// A node's operands that are not yet connected to a gate. The graph keeps the node alive.
  private struct Operands {
    let node: Unmanaged<Compound>
    let count: Int
    let isNegated: Bool
    let gate: Int
    var next = 0
  }

  init(_ graph: PondGraph) {
    self.graph = graph
    conditions = graph.conditions
    cases = CaseRows(graph.cases, pebbleCount: graph.names.count)
    builder = NetworkBuilder(
      pebbleCount: graph.names.count, cases: cases,
      expectedOperands: graph.conditions.packedCount)
    sharing = SharedNodes(smallest: graph.conditions.smallestShared)
  }

  mutating func compile() -> ReadinessNetwork {
    // Notes all nodes before compiling any. Otherwise, the first pebble that uses a shared node
    // would get gates for the whole node that no other pebble can use.
    conditions.forEachKept { expression in
      if case .compound(let node) = expression { sharing.note(node) }
    }
    if case .compound(let node)? = graph.goal?.expression { sharing.note(node) }
    conditions.withWords(for: &self) { $0.wire($1, $2) }
    if let goal = graph.goal {
      wire(goal.expression, isNegated: false, to: builder.addGoal(), of: nil)
      wirePending(of: nil)
    }
    return builder.network()
  }

  private mutating func wire(_ conditions: Words, _ operands: Words) {
    for pebble in 0..<graph.names.count {
      let condition = conditions[pebble]
      if !graph.needs.isEmpty, let implied = graph.needs[UInt32(pebble)] {
        // A pebble with inputs waits for the condition that they imply and for its own condition.
        add(implied, operands, to: pebble)
        if !condition.isAlways { add(condition, operands, to: pebble) }
      } else if condition.isAtom {
        builder.addEdge(from: condition.pebble, to: pebble, .all, condition.outcomes)
      } else if condition.isAlways {
        builder.addInitiallyReady(pebble)
      } else {
        setRoot(of: pebble, to: condition, operands)
      }
    }
  }

  /// Builds the root of a pebble from a condition that is not an atom. The root computes the
  /// outermost operator of the condition.
  private mutating func setRoot(of pebble: Int, to condition: Word, _ operands: Words) {
    switch condition.kind {
    case .packed:
      let kind = kind(at: condition.value, operands)
      if kind == .any { builder.setRoot(of: pebble, kind) }
      wirePacked(operands + condition.value, isNegated: false, to: pebble, kind)
    case .kept: setRoot(of: pebble, to: conditions.kept(condition))
    case .constant, .all, .any, .not: add(condition, operands, to: pebble)
    }
  }

  private mutating func setRoot(of pebble: Int, to expression: Condition.Expression) {
    guard case .compound(let node) = expression else {
      return wire(expression, isNegated: false, to: pebble, of: pebble)
    }
    builder.setRoot(of: pebble, GateKind(of: node, isNegated: false))
    // The root belongs to this pebble alone, so a label at the top is a label of the root, unless
    // other pebbles have the same condition.
    if case .labeled(let label) = node.operation, !sharing.isShared(node) {
      builder.setLabel(label, of: pebble)
      wireOperands(of: node, isNegated: false, to: pebble)
    } else {
      wire(expression, isNegated: false, to: pebble, of: pebble)
    }
    wirePending(of: pebble)
  }

  /// Adds a condition as one operand of the root of a pebble. The root must be an AND.
  private mutating func add(_ condition: Word, _ operands: Words, to pebble: Int) {
    if condition.isAtom {
      return builder.addEdge(from: condition.pebble, to: pebble, .all, condition.outcomes)
    }
    switch condition.kind {
    case .constant: builder.addConstant(condition.value == 1, to: pebble, .all)
    case .packed:
      wirePacked(operands + condition.value, isNegated: false, to: pebble, .all)
    case .kept:
      wire(conditions.kept(condition), isNegated: false, to: pebble, of: pebble)
      wirePending(of: pebble)
    case .all, .any, .not: preconditionFailure("an operator stands alone, without its operands")
    }
  }

  // MARK: Packed conditions

  private typealias Word = ConditionTable.Word
  private typealias Words = UnsafePointer<Word>

  /// Returns the kind of gate that computes the packed expression at a position, after negations
  /// have been pushed down.
  private func kind(at position: Int, _ words: Words) -> GateKind {
    var position = position
    var isNegated = false
    while words[position].isNot {
      position += 1
      isNegated.toggle()
    }
    let kind = words[position].gateKind ?? .all
    return isNegated ? kind.dual : kind
  }

  /// Connects the packed expression at `start` to a gate. Packed expressions have limited depth, so
  /// recursion is safe.
  ///
  /// - Returns: The first word after the expression.
  @discardableResult
  private mutating func wirePacked(
    _ start: UnsafePointer<Word>, isNegated: Bool, to gate: Int, _ kind: GateKind
  ) -> UnsafePointer<Word> {
    let word = start.pointee
    var next = start + 1
    guard !word.isAtom else {
      addEdge(word, isNegated: isNegated, to: gate, kind)
      return next
    }
    switch word.kind {
    case .constant: builder.addConstant((word.value == 1) != isNegated, to: gate, kind)
    case .not: next = wirePacked(next, isNegated: !isNegated, to: gate, kind)
    case .all, .any:
      let own: GateKind = (word.kind == .any) != isNegated ? .any : .all
      let inner = own == kind ? gate : builder.addGate(own, feeding: gate, kind)
      if word.value == 0 { builder.addConstant(own == .all, to: inner, own) }
      for _ in 0..<word.value {
        // Handles an atom without a call, because most operands are atoms.
        if next.pointee.isAtom {
          addEdge(next.pointee, isNegated: isNegated, to: inner, own)
          next += 1
        } else {
          next = wirePacked(next, isNegated: isNegated, to: inner, own)
        }
      }
    case .packed, .kept: preconditionFailure("a packed condition refers to another one")
    }
    return next
  }

  @inline(__always)
  private mutating func addEdge(_ word: Word, isNegated: Bool, to gate: Int, _ kind: GateKind) {
    let outcomes = isNegated ? word.outcomes.complement : word.outcomes
    builder.addEdge(from: word.pebble, to: gate, kind, outcomes)
  }

  // MARK: Conditions kept as they were given

  private mutating func wirePending(of pebble: Int?) {
    while var operands = pending.popLast() {
      operands.node._withUnsafeGuaranteedRef { node in
        while operands.next < operands.count {
          let (place, depth) = (operands.next, pending.count)
          operands.next += 1
          node.withOperand(at: place) {
            wire($0, isNegated: operands.isNegated, to: operands.gate, of: pebble)
          }
          guard pending.count == depth else {
            // Nested operands are connected before the operands that follow them.
            if operands.next < operands.count { pending.insert(operands, at: depth) }
            break
          }
        }
      }
    }
  }

  @inline(__always)
  private mutating func wire(
    _ expression: borrowing Condition.Expression, isNegated: Bool, to gate: Int, of pebble: Int?
  ) {
    switch expression {
    case .constant(let value):
      builder.addConstant(value != isNegated, to: gate, builder.kind(of: gate))
    case .atom(let atom):
      guard graph.definition.includes(atom.pebble) else {
        return mentionFaults.note(atom.pebble, mentionedBy: pebble.map { graph.names[$0] })
      }
      wire(isNegated ? atom.complement : atom, to: gate, of: pebble)
    case .compound(let node):
      wire(node, isNegated: isNegated, to: gate, of: pebble)
    }
  }

  @inline(__always)
  private mutating func wire(_ atom: Atom, to gate: Int, of pebble: Int?) {
    let source = Int(atom.pebble.index)
    guard let place = atom.casePlace else {
      return addEdge(from: source, to: gate, atom.outcomes)
    }
    let rows = cases.rows(of: source)
    guard place < rows.count else {
      return mentionFaults.note(caseOf: atom.pebble, mentionedBy: pebble.map { graph.names[$0] })
    }
    let value: OutcomeSet = atom.isNegatedCase ? OutcomeSet.succeeded.complement : .succeeded
    addEdge(from: rows.lowerBound + place, to: gate, value)
  }

  private mutating func addEdge(from source: Int, to gate: Int, _ outcomes: OutcomeSet) {
    builder.addEdge(from: source, to: gate, builder.kind(of: gate), outcomes)
  }

  private mutating func addGate(_ kind: GateKind, feeding target: Int) -> Int {
    builder.addGate(kind, feeding: target, builder.kind(of: target))
  }

  private mutating func wireOperands(of node: Compound, isNegated: Bool, to gate: Int) {
    pending.append(
      Operands(
        node: .passUnretained(node), count: Int(node.operandCount), isNegated: isNegated,
        gate: gate))
  }

  /// Connects a node to a gate. The operands of the node are left pending.
  private mutating func wire(_ node: Compound, isNegated: Bool, to target: Int, of pebble: Int?) {
    let kind = GateKind(of: node, isNegated: isNegated)
    var gate = target
    if sharing.isShared(node) {
      if let known = sharing.gate(of: node, isNegated: isNegated) {
        return addEdge(from: known, to: target, .succeeded)
      }
      gate = addGate(kind, feeding: target)
      sharing.remember(gate, of: node, isNegated: isNegated)
    }
    switch node.operation {
    case .all, .any:
      if builder.kind(of: gate) != kind { gate = addGate(kind, feeding: gate) }
      if node.operandCount == 0 { builder.addConstant(kind == .all, to: gate, kind) }
      wireOperands(of: node, isNegated: isNegated, to: gate)
    case .not:
      wireOperands(of: node, isNegated: !isNegated, to: gate)
    case .labeled(let label):
      if gate == target { gate = addGate(kind, feeding: target) }
      builder.setLabel(isNegated ? "not \(label)" : label, of: gate)
      wireOperands(of: node, isNegated: isNegated, to: gate)
    }
  }
}

extension GateKind {
  /// Creates the kind of gate that computes an expression after negations have been pushed down.
  /// The kind depends on the outermost AND or OR, which can be inside labels and negations.
  fileprivate init(of node: Compound, isNegated: Bool) {
    self = node.isDisjunction != isNegated ? .any : .all
  }
}
