import Pebbles

/// The outcomes of all pebbles, in all scenarios, as one formula: each gate of the circuit becomes
/// a variable and the clauses that tie it to its operands (Tseitin, 1968).
struct OutcomeFormula {
  typealias Signal = Circuit.Signal

  var solver = Solver()
  let optional: Set<Int>
  private let circuit: Circuit

  // By pebble.
  private var bodies: [Literal]
  private var ran: [Literal]
  private var succeeded: [Literal?]
  private var failed: [Literal?]
  private var stalled: [Int: Literal] = [:]
  private var activations: [Int: Literal] = [:]

  /// By row; those of pebbles are their conditions.
  private var gates: [Literal]

  init(_ circuit: Circuit, _ knots: KnotOutcomes?, optional: Set<Int>) {
    self.circuit = circuit
    self.optional = optional
    let count = circuit.network.pebbleCount
    bodies = Array(repeating: .always, count: count)
    ran = bodies
    succeeded = Array(repeating: nil, count: count)
    failed = succeeded
    gates = Array(repeating: .always, count: circuit.network.rowCount)
    for pebble in 0..<count { bodies[pebble] = solver.addVariable(phase: true) }
    for pebble in optional { activations[pebble] = solver.addVariable(phase: true) }
    encode(knots)
  }

  private mutating func encode(_ knots: KnotOutcomes?) {
    var isKnotDone: Set<Int> = []
    for row in circuit.order {
      if let knot = circuit.knot(of: row) {
        if isKnotDone.insert(knot).inserted { encode(knot: knot, knots) }
        continue
      }
      switch circuit.network.kind(ofRow: row) {
      case .predicate: continue
      case .gate: gates[row] = value(ofGate: row)
      case .pebble:
        gates[row] = value(ofGate: row)
        ran[row] = conjunction([gates[row]] + (activations[row].map { [$0] } ?? []))
      }
    }
  }

  /// A knot that has not been worked out may end as it likes, but for what is plain: a pebble does
  /// not run if it stalls.
  private mutating func encode(knot: Int, _ knots: KnotOutcomes?) {
    var nodes: [Int: Literal] = [0: .always]
    for pebble in circuit.knots[knot] {
      guard let knots, let outcome = knots.outcomes[pebble],
        let doesRun = literal(of: outcome.ran, in: knots, &nodes),
        let doesStall = literal(of: outcome.stalled, in: knots, &nodes)
      else {
        ran[pebble] = solver.addVariable(phase: true)
        let doesStall = solver.addVariable(phase: false)
        solver.add([!ran[pebble], !doesStall])
        stalled[pebble] = doesStall
        continue
      }
      ran[pebble] = doesRun
      stalled[pebble] = doesStall
    }
    var known: Set<Int> = []
    for pebble in circuit.knots[knot] {
      for gate in circuit.gates(below: pebble) where known.insert(gate).inserted {
        gates[gate] = value(ofGate: gate)
      }
    }
  }

  /// The literal of a function of a knot.
  mutating func literal(
    of function: BooleanFunction, in knots: KnotOutcomes, _ nodes: inout [Int: Literal]
  ) -> Literal? {
    knots.value(of: function, known: &nodes) { variable, low, high in
      let condition: Literal =
        switch variable {
        case .ran(let pebble): ran[pebble]
        case .body(let pebble): bodies[pebble]
        case .activation(let pebble): activations[pebble] ?? .always
        }
      return !conjunction([
        !conjunction([condition, high]), !conjunction([!condition, low]),
      ])
    } negate: {
      !$0
    }
  }

  /// Whether either is true, but not both.
  mutating func difference(_ left: Literal, _ right: Literal) -> Literal {
    !conjunction([!conjunction([left, !right]), !conjunction([!left, right])])
  }

  func literal(ofRunning pebble: Int) -> Literal { ran[pebble] }

  // MARK: Reading

  func body(of pebble: Int) -> Literal { bodies[pebble] }

  /// Whether the pebble fails in a satisfying assignment.
  func isFailed(_ pebble: Int, in model: [Bool]) -> Bool {
    solver.isTrue(ran[pebble], in: model) && !solver.isTrue(bodies[pebble], in: model)
  }

  /// Whether the pebble is enabled in a satisfying assignment.
  func isEnabled(_ pebble: Int, in model: [Bool]) -> Bool {
    activations[pebble].map { solver.isTrue($0, in: model) } ?? true
  }

  mutating func literal(of fact: ScenarioSearch.Fact) -> Literal {
    switch fact {
    case .signal(let signal): literal(of: signal)
    case .condition(let pebble, let value): value ? gates[pebble] : !gates[pebble]
    case .stalls(let pebble, let value):
      value ? stalled[pebble] ?? .never : !(stalled[pebble] ?? .never)
    case .gate(let gate, let freed): literal(ofGate: gate, freeing: freed)
    }
  }

  /// A predicate may have any value, so it never stands in the way.
  mutating func literal(of signal: Signal) -> Literal {
    let source = signal.source
    switch circuit.network.kind(ofRow: source) {
    case .predicate: return .always
    case .gate: return signal.outcomes.contains(.succeeded) ? gates[source] : !gates[source]
    case .pebble: break
    }
    switch signal.outcomes {
    case .settled: return .always
    case .completed: return ran[source]
    case .skipped: return !ran[source]
    case .succeeded: return success(of: source)
    case .failed: return failure(of: source)
    case OutcomeSet.succeeded.complement: return !success(of: source)
    case OutcomeSet.failed.complement: return !failure(of: source)
    default: return .never
    }
  }

  private mutating func success(of pebble: Int) -> Literal {
    if let known = succeeded[pebble] { return known }
    let made = conjunction([ran[pebble], bodies[pebble]])
    succeeded[pebble] = made
    return made
  }

  private mutating func failure(of pebble: Int) -> Literal {
    if let known = failed[pebble] { return known }
    let made = conjunction([ran[pebble], !bodies[pebble]])
    failed[pebble] = made
    return made
  }

  // MARK: Writing

  private mutating func literal(ofGate root: Int, freeing freed: Set<Int>) -> Literal {
    var literals: [Int: Literal] = [:]
    for gate in circuit.gates(below: root) {
      literals[gate] = value(ofGate: gate) { formula, signal in
        if formula.circuit.isGate(signal.source), let known = literals[signal.source] {
          return known
        }
        return freed.contains(signal.source) ? .always : formula.literal(of: signal)
      }
    }
    return literals[root] ?? .always
  }

  private mutating func value(
    ofGate gate: Int, _ literal: (inout OutcomeFormula, Signal) -> Literal = { $0.literal(of: $1) }
  ) -> Literal {
    var literals = circuit.constants(of: gate).map { $0 ? Literal.always : .never }
    // One value per predicate and gate: two pebbles may see a predicate at different times.
    var predicates: [Int: Literal] = [:]
    for signal in circuit.signals(of: gate) {
      if case .predicate = circuit.network.kind(ofRow: signal.source) {
        let known = predicates[signal.source] ?? solver.addVariable(phase: true)
        predicates[signal.source] = known
        literals.append(signal.outcomes.contains(.succeeded) ? known : !known)
      } else {
        literals.append(literal(&self, signal))
      }
    }
    switch circuit.network.kinds[gate] {
    case .all: return conjunction(literals)
    case .any: return !conjunction(literals.map { !$0 })
    }
  }

  mutating func conjunction(_ literals: [Literal]) -> Literal {
    var operands: [Literal] = []
    var known: Set<Literal> = []
    for literal in literals where literal != .always && known.insert(literal).inserted {
      if literal == .never || known.contains(!literal) { return .never }
      operands.append(literal)
    }
    guard operands.count > 1 else { return operands.first ?? .always }
    let result = solver.addVariable(phase: true)
    for operand in operands { solver.add([!result, operand]) }
    solver.add([result] + operands.map { !$0 })
    return result
  }
}
