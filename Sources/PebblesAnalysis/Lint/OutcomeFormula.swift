import Pebbles

/// A formula that describes the outcomes of all pebbles in all scenarios. Each gate of the circuit
/// becomes a variable, and clauses tie the variable to the operands of the gate (Tseitin, 1968).
struct OutcomeFormula {
  typealias Signal = Circuit.Signal

  private(set) var solver = Solver()

  /// The literals that define each variable, grouped by variable. The literals of variable *n*
  /// begin at `inputs[starts[n]]`.
  private var inputs: [Literal] = []
  private var starts: [Int] = [0]
  private var isInCone: [Bool] = [false]

  let optional: Set<Int>

  /// The pebbles whose outputs are given to runs. They have no bodies, so they cannot fail.
  private let given: Set<Int>
  private let circuit: Circuit
  private let pond: PondLogic

  /// One literal for each pebble, which is true if the pebble runs. Similarly, a literal in
  /// `stalled` is true if the pebble stalls, and a literal in `activations` is true if an optional
  /// pebble is enabled.
  private var ran: [Literal]
  private var stalled: [Int: Literal] = [:]
  private var activations: [Int: Literal] = [:]

  /// The literals for the choices of cases, keyed by row; see `CaseChoices`.
  private var choices: [Int: Literal] = [:]

  /// The literals for the success or failure of pebbles. Each literal is created when it is first
  /// needed.
  private var completions: [Signal: Literal] = [:]

  /// The literals for the values of rows, indexed by row. The value of a pebble's row is the value
  /// of the pebble's condition.
  private var gates: [Literal]

  init(
    _ circuit: Circuit, _ cycles: CycleOutcomes?, of pond: PondLogic, optional: Set<Int>
  ) {
    self.circuit = circuit
    self.pond = pond
    self.optional = optional
    given = Set(pond.givenPebbles)
    let count = circuit.network.pebbleCount
    ran = Array(repeating: .always, count: count)
    gates = Array(repeating: .always, count: circuit.network.rowCount)
    for pebble in 0..<count {
      let body = addVariable()
      assert(given.contains(pebble) || body == self.body(of: pebble))
    }
    for pebble in optional.sorted() { activations[pebble] = addVariable() }
    for row in circuit.network.cases.rows { choices[row] = addVariable() }
    encode(cycles)
  }

  /// Returns the literal that is true if a pebble's body succeeds when called; always true for a
  /// pebble whose output is given. The variables of bodies follow the constant variable, in
  /// definition order.
  private func body(of pebble: Int) -> Literal {
    given.contains(pebble) ? .always : Literal(variable: pebble + 1)
  }

  private mutating func encode(_ cycles: CycleOutcomes?) {
    var isCycleDone: Set<Int> = []
    for row in circuit.order {
      if let cycle = circuit.cycle(of: row) {
        if isCycleDone.insert(cycle).inserted { encode(cycle: cycle, cycles) }
        continue
      }
      switch circuit.network.kind(ofRow: row) {
      case .gate: gates[row] = value(ofGate: row)
      case .pebbleCase: gates[row] = value(ofCase: row)
      case .pebble:
        gates[row] = value(ofGate: row)
        ran[row] = conjunction([gates[row]] + (activations[row].map { [$0] } ?? []))
      }
    }
  }

  /// Adds a cycle to the formula. If the outcomes of the cycle were not computed, its pebbles may
  /// end in any way, except that stalled pebbles do not run.
  private mutating func encode(cycle: Int, _ cycles: CycleOutcomes?) {
    var nodes: [Int: Literal] = [0: .always]
    for pebble in circuit.cycles[cycle] {
      guard let cycles, let outcome = cycles.outcomes[pebble],
        let doesRun = literal(of: outcome.ran, in: cycles, &nodes),
        let doesStall = literal(of: outcome.stalled, in: cycles, &nodes)
      else {
        ran[pebble] = addVariable()
        let doesStall = addVariable()
        inputs.append(ran[pebble])
        solver.add([!ran[pebble], !doesStall])
        stalled[pebble] = doesStall
        continue
      }
      ran[pebble] = doesRun
      stalled[pebble] = doesStall
    }
    for row in circuit.cycleRows[cycle] {
      gates[row] = circuit.isCase(row) ? value(ofCase: row) : value(ofGate: row)
    }
  }

  /// Returns a literal for a function of a cycle; `nil` if the function belongs to another diagram.
  mutating func literal(
    of function: BooleanFunction, in cycles: CycleOutcomes, _ nodes: inout [Int: Literal]
  ) -> Literal? {
    cycles.value(of: function, known: &nodes) { variable, low, high in
      let condition: Literal =
        switch variable {
        case .ran(let pebble): ran[pebble]
        case .body(let pebble): body(of: pebble)
        case .activation(let pebble): activations[pebble] ?? .always
        case .case(let row): choices[row] ?? .never
        }
      return !conjunction([
        !conjunction([condition, high]), !conjunction([!condition, low]),
      ])
    } negate: {
      !$0
    }
  }

  /// Returns a literal that is true if exactly one of two literals is true.
  mutating func difference(_ left: Literal, _ right: Literal) -> Literal {
    !conjunction([!conjunction([left, !right]), !conjunction([!left, right])])
  }

  func literal(ofRunning pebble: Int) -> Literal { ran[pebble] }

  // MARK: Reading

  /// Determines whether the given literals can all be true at once.
  ///
  /// - Returns: The answer and, if the literals can all be true, a scenario that makes them true.
  ///   The scenario states which bodies fail, which pebbles are disabled and which cases are
  ///   chosen.
  mutating func solve(
    _ literals: [Literal], mostWork: Int
  ) -> (answer: Solver.Answer, scenario: ScenarioSamples.Scenario) {
    let (answer, model) = solver.solve(
      assuming: literals, deciding: cone(of: literals), mostWork: mostWork)
    let failing = model.filter(\.isNegated).map { $0.variable - 1 }.filter(ran.indices.contains)
    var disabled: [Int] = []
    if !activations.isEmpty, answer == .satisfiable {
      let negated = Set(model.lazy.filter(\.isNegated).map(\.variable))
      disabled = activations.filter { negated.contains($0.value.variable) }.keys.sorted()
    }
    var chosen: [Int] = []
    if !choices.isEmpty, answer == .satisfiable {
      let affirmed = Set(model.lazy.filter { !$0.isNegated }.map(\.variable))
      chosen = choices.filter { affirmed.contains($0.value.variable) }.keys.sorted()
    }
    return (answer, .init(failing: failing.sorted(), disabled: disabled, chosen: chosen))
  }

  /// Returns the variables on which the values of the given literals depend, except variables that
  /// are themselves defined by inputs.
  private mutating func cone(of literals: [Literal]) -> [Int] {
    var cone: [Int] = []
    for literal in literals where !isInCone[literal.variable] {
      isInCone[literal.variable] = true
      cone.append(literal.variable)
    }
    var position = 0
    while position < cone.count {
      let variable = cone[position]
      position += 1
      for input in inputs(of: variable) where !isInCone[input.variable] {
        isInCone[input.variable] = true
        cone.append(input.variable)
      }
    }
    for variable in cone { isInCone[variable] = false }
    return cone.filter { inputs(of: $0).isEmpty }
  }

  private func inputs(of variable: Int) -> ArraySlice<Literal> {
    inputs[starts[variable]..<(variable + 1 < starts.count ? starts[variable + 1] : inputs.count)]
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

  mutating func literal(of signal: Signal) -> Literal {
    let source = signal.source
    switch circuit.network.kind(ofRow: source) {
    case .pebbleCase, .gate:
      return signal.outcomes.contains(.succeeded) ? gates[source] : !gates[source]
    case .pebble: break
    }
    switch signal.outcomes {
    case .settled: return .always
    case .completed: return ran[source]
    case .succeeded, .failed: return completion(signal)
    default: return !literal(of: !signal)
    }
  }

  private mutating func completion(_ signal: Signal) -> Literal {
    if let known = completions[signal] { return known }
    let body = body(of: signal.source)
    let made = conjunction([ran[signal.source], signal.outcomes == .succeeded ? body : !body])
    completions[signal] = made
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
        let isFree = freed.contains(formula.circuit.pebble(of: signal.source))
        return isFree ? .always : formula.literal(of: signal)
      }
    }
    return literals[root] ?? .always
  }

  private mutating func value(
    ofGate gate: Int, _ literal: (inout OutcomeFormula, Signal) -> Literal = { $0.literal(of: $1) }
  ) -> Literal {
    var literals = circuit.constants(of: gate).map { $0 ? Literal.always : .never }
    for signal in circuit.signals(of: gate) { literals.append(literal(&self, signal)) }
    switch circuit.network.kinds[gate] {
    case .all: return conjunction(literals)
    case .any: return !conjunction(literals.map { !$0 })
    }
  }

  /// Returns the literal that is true if a case holds: the pebble has the outcome of the case, and
  /// the case is chosen.
  private mutating func value(ofCase row: Int) -> Literal {
    let owner = circuit.network.cases[row]
    var literals = [literal(of: Signal(owner.pebble, owner.name.outcomes))]
    let choices = CaseChoices(of: owner.pebble, owner.name.outcomes, in: pond)
    if let timeout = choices.timeout, timeout != row {
      literals.append(!(self.choices[timeout] ?? .never))
    }
    if owner.name.isValue {
      for value in choices.values.prefix(while: { $0 != row }) {
        literals.append(!(self.choices[value] ?? .never))
      }
    }
    if row != choices.last { literals.append(self.choices[row] ?? .never) }
    return conjunction(literals)
  }

  private mutating func addVariable() -> Literal {
    starts.append(inputs.count)
    isInCone.append(false)
    return solver.addVariable()
  }

  private mutating func conjunction(_ literals: [Literal]) -> Literal {
    var operands: [Literal] = []
    var known: Set<Literal> = []
    for literal in literals where literal != .always && known.insert(literal).inserted {
      if literal == .never || known.contains(!literal) { return .never }
      operands.append(literal)
    }
    guard operands.count > 1 else { return operands.first ?? .always }
    let result = addVariable()
    inputs += operands
    for operand in operands { solver.add([!result, operand]) }
    solver.add([result] + operands.map { !$0 })
    return result
  }
}
