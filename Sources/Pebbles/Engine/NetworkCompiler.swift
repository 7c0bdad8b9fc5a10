/// Compiles the conditions of a graph into a `ReadinessNetwork`.
///
/// Works through each condition with a list instead of recursion, pushing negations down to the atoms
/// (De Morgan) and melting an AND inside an AND, or an OR inside an OR, into one gate. Labelled
/// sub-expressions keep a gate of their own, and so do large ones that are used more than once: written
/// out, a condition such as `c = c && c`, sixty times over, would not fit into any memory.
struct NetworkCompiler {
  private let graph: PondGraph
  private let pebbleCount: Int

  private var edgeSources: [UInt32] = []
  private var edges: [Edge] = []
  private var constants: [Edge] = []
  private var operandCounts: [UInt32]
  private var kinds: [GateKind]
  private var initiallyReady: [UInt32] = []
  private var labels: [Int: String] = [:]

  private(set) var predicates: [Predicate] = []
  private var predicateNumbers: [ObjectIdentifier: Int] = [:]
  private var predicateReads: [[UInt32]] = []
  private var predicateEdges: [(predicate: Int, edge: Edge)] = []

  private var sharing = SharedNodes()
  private var pending: [Operand] = []

  /// Mentions of pebbles that belong elsewhere. They are left out of the network.
  private(set) var faults: [PondError.Fault] = []

  /// An expression still to be wired to a gate.
  private struct Operand {
    let condition: Condition
    let isNegated: Bool
    let gate: Int
  }

  init(_ graph: PondGraph) {
    self.graph = graph
    pebbleCount = graph.names.count
    operandCounts = Array(repeating: 0, count: pebbleCount)
    kinds = Array(repeating: .all, count: pebbleCount)
    edgeSources.reserveCapacity(pebbleCount)
    edges.reserveCapacity(pebbleCount)
  }

  mutating func compile() -> ReadinessNetwork {
    for pebble in 0..<pebbleCount { compileRoot(of: pebble) }
    for (predicate, edge) in predicateEdges {
      edgeSources.append(UInt32(kinds.count + predicate))
      edges.append(edge)
    }
    return makeNetwork()
  }

  private mutating func compileRoot(of pebble: Int) {
    let condition = graph.condition(of: pebble)
    switch condition.expression {
    case .constant(true):
      initiallyReady.append(UInt32(pebble))
    case .constant(false), .atom:
      wire(Operand(condition: condition, isNegated: false, gate: pebble), of: pebble)
    case .compound(let node):
      sharing.note(node)
      kinds[pebble] = GateKind(naturalFor: condition, isNegated: false)
      if case .labeled(let label, let labeled) = node.operation {
        labels[pebble] = label
        pending.append(Operand(condition: labeled, isNegated: false, gate: pebble))
      } else {
        pending.append(Operand(condition: condition, isNegated: false, gate: pebble))
      }
      while let operand = pending.popLast() { wire(operand, of: pebble) }
    }
  }

  private mutating func wire(_ operand: Operand, of pebble: Int) {
    let gate = operand.gate
    switch operand.condition.expression {
    case .constant(let value):
      addConstant(value != operand.isNegated, to: gate)
    case .atom(let atom):
      guard atom.pebble.definition === graph.definition else {
        return addForeign(atom.pebble, mentionedBy: pebble)
      }
      let outcomes = operand.isNegated ? atom.outcomes.complement : atom.outcomes
      addEdge(from: Int(atom.pebble.index), to: gate, outcomes)
    case .compound(let node):
      wire(node, operand, of: pebble)
    }
  }

  private mutating func wire(_ node: Compound, _ operand: Operand, of pebble: Int) {
    switch node.operation {
    case .not(let negated):
      pending.append(
        Operand(condition: negated, isNegated: !operand.isNegated, gate: operand.gate))
    case .predicate(let predicate):
      wire(predicate, operand, of: pebble)
    case .labeled(let label, let labeled):
      let kind = GateKind(naturalFor: labeled, isNegated: operand.isNegated)
      let gate = addGate(kind, feeding: operand.gate)
      labels[gate] = label
      pending.append(Operand(condition: labeled, isNegated: operand.isNegated, gate: gate))
    case .both, .all:
      wire(node, as: operand.isNegated ? .any : .all, operand, of: pebble)
    case .either, .any:
      wire(node, as: operand.isNegated ? .all : .any, operand, of: pebble)
    }
  }

  private mutating func wire(
    _ node: Compound, as kind: GateKind, _ operand: Operand, of pebble: Int
  ) {
    if let shared = sharing.gate(of: node, isNegated: operand.isNegated) {
      return addEdge(from: shared, to: operand.gate, .succeeded)
    }
    var gate = operand.gate
    let isShared = sharing.isShared(node)
    if kinds[gate] != kind || isShared { gate = addGate(kind, feeding: gate) }
    if isShared { sharing.remember(gate, of: node, isNegated: operand.isNegated) }

    var isEmpty = true
    node.operation.forEachOperand { condition in
      isEmpty = false
      let part = Operand(condition: condition, isNegated: operand.isNegated, gate: gate)
      // Only what nests has to wait; most operands are atoms.
      if case .compound = condition.expression {
        pending.append(part)
      } else {
        wire(part, of: pebble)
      }
    }
    if isEmpty { addConstant(kind == .all, to: gate) }
  }

  private mutating func wire(_ predicate: Predicate, _ operand: Operand, of pebble: Int) {
    let number = predicateNumbers[ObjectIdentifier(predicate)] ?? predicates.count
    if number == predicates.count {
      predicateNumbers[ObjectIdentifier(predicate)] = number
      predicates.append(predicate)
      let own = predicate.reads.filter { $0.definition === graph.definition }
      predicateReads.append(own.map(\.index))
    }
    for read in predicate.reads where read.definition !== graph.definition {
      addForeign(read, mentionedBy: pebble)
    }
    // A predicate only ever reports that it holds, with the event that also stands for true.
    let outcomes: OutcomeSet = operand.isNegated ? .succeeded.complement : .succeeded
    predicateEdges.append((number, Edge(to: operand.gate, kinds[operand.gate], outcomes)))
    operandCounts[operand.gate] += 1
  }

  private mutating func addGate(_ kind: GateKind, feeding target: Int) -> Int {
    let gate = kinds.count
    precondition(gate < Edge.mostGates, "a pond can have 268,435,456 pebbles and operators at most")
    kinds.append(kind)
    operandCounts.append(0)
    addEdge(from: gate, to: target, .succeeded)
    return gate
  }

  private mutating func addEdge(from source: Int, to gate: Int, _ outcomes: OutcomeSet) {
    edgeSources.append(UInt32(source))
    edges.append(Edge(to: gate, kinds[gate], outcomes))
    operandCounts[gate] += 1
  }

  private mutating func addForeign(_ mentioned: PebbleReference, mentionedBy pebble: Int) {
    let fault = PondError.Fault.foreignPebble(
      mentioned.name, ofPond: mentioned.definition.pondName, mentionedBy: graph.names[pebble])
    if faults.last != fault { faults.append(fault) }
  }

  private mutating func addConstant(_ value: Bool, to gate: Int) {
    constants.append(Edge(to: gate, kinds[gate], value ? .succeeded : []))
    operandCounts[gate] += 1
  }
}

extension NetworkCompiler {
  /// Sorts the collected edges by their source; edges of one source keep the order of their gates.
  private func makeNetwork() -> ReadinessNetwork {
    let rowCount = kinds.count + predicates.count
    var offsets = [UInt32](repeating: 0, count: rowCount + 1)
    for source in edgeSources { offsets[Int(source) + 1] += 1 }
    for row in 0..<rowCount { offsets[row + 1] += offsets[row] }

    var next = offsets
    let sorted = FlatArray<Edge>(count: edges.count) { sorted in
      for (source, edge) in zip(edgeSources, edges) {
        (sorted + Int(next[Int(source)])).initialize(to: edge)
        next[Int(source)] += 1
      }
    }

    var readers: [UInt32: [UInt32]] = [:]
    for (predicate, reads) in predicateReads.enumerated() {
      for read in Set(reads) { readers[read, default: []].append(UInt32(predicate)) }
    }
    return ReadinessNetwork(
      pebbleCount: pebbleCount, gateCount: kinds.count, offsets: FlatArray(offsets), edges: sorted,
      operandCounts: operandCounts, kinds: kinds, initiallyReady: FlatArray(initiallyReady),
      constants: constants, predicateReads: predicateReads, predicateReaders: readers,
      labels: labels)
  }
}

extension GateKind {
  /// The gate that fits an expression, so that it needs no second one inside.
  fileprivate init(naturalFor condition: Condition, isNegated: Bool) {
    var condition = condition
    var isNegated = isNegated
    while case .compound(let node) = condition.expression {
      switch node.operation {
      case .both, .all:
        self = isNegated ? .any : .all
        return
      case .either, .any:
        self = isNegated ? .all : .any
        return
      case .not(let operand):
        condition = operand
        isNegated.toggle()
      case .labeled(_, let operand):
        condition = operand
      case .predicate:
        self = .all
        return
      }
    }
    self = .all
  }
}
