import Pebbles

/// All scenarios of a pond, that is: all ways in which its bodies may end, to be asked what can
/// happen in them.
///
/// A question is looked up in a sample of scenarios first, simulated 64 at a time; what does not
/// occur there is put to a solver, over one formula that says for every pebble, in terms of the
/// others, when it runs. So most questions cost next to nothing, and the answer is exact all the
/// same. (The same pair as in the simplification of circuits: Mishchenko et al., *FRAIGs*, 2005.)
///
/// A pebble that may be disabled is, or is not, in each scenario.
struct ScenarioSearch {
  typealias Signal = Circuit.Signal

  /// Something that holds or does not in each scenario, once all is settled.
  enum Fact {
    case signal(Signal)
    /// Whether the condition of a pebble is true.
    case condition(Int, Bool)
    /// Whether a pebble is skipped in a stall.
    case stalls(Int, Bool)
    /// Whether a gate would be true if all atoms over some pebbles were.
    case gate(Int, freeing: Set<Int>)

    static var impossible: Fact { .signal(Signal(0, [])) }
    static func ran(_ pebble: Int) -> Fact { .signal(Signal(pebble, .completed)) }
    static func skipped(_ pebble: Int) -> Fact { .signal(Signal(pebble, .skipped)) }
    static func failed(_ pebble: Int) -> Fact { .signal(Signal(pebble, .failed)) }
  }

  typealias Scenario = ScenarioSamples.Scenario

  enum Answer {
    /// With a scenario in which it is so.
    case possible(Witness)
    case impossible
    /// The question took more than its share of work.
    case undecided

    var isImpossible: Bool {
      if case .impossible = self { true } else { false }
    }
  }

  enum Witness {
    case lane(Int)
    case scenario(Scenario)
  }

  let circuit: Circuit
  private(set) var formula: OutcomeFormula
  private var samples: ScenarioSamples
  private var cycles: CycleOutcomes?
  private var budget: Int

  /// How many rows may still be simulated for the sake of examples.
  private var rowsLeft = 5_000_000

  /// How many questions were too much work.
  private(set) var undecidedCount = 0

  /// How many literals the solver looks at for one question, and for all.
  static let mostWorkPerQuestion = 2_000_000
  static let mostWork = 20_000_000

  /// How many facts a question may have.
  static let mostFacts = 2_000

  init(_ model: PondModel, _ circuit: Circuit) {
    self.circuit = circuit
    let optional = model.properties.filter { $0.value.isOptional }.keys
    let optionalPebbles = Set(optional.map { Int($0) })
    cycles = circuit.cycles.isEmpty ? nil : CycleOutcomes(model, circuit)
    formula = OutcomeFormula(circuit, cycles, of: model.pond, optional: optionalPebbles)
    samples = ScenarioSamples(circuit, cycles, of: model.pond, optional: optionalPebbles)
    budget = Self.mostWork
  }

  /// Whether all of the facts can hold in one scenario.
  mutating func find(_ facts: [Fact]) -> Answer {
    AnalysisProgress.add(steps: 1)
    guard facts.count <= Self.mostFacts else {
      giveUp()
      return .undecided
    }
    let literals = facts.map { formula.literal(of: $0) }
    if literals.contains(.never) { return .impossible }
    if let lane = samples.lane(where: facts) { return .possible(.lane(lane)) }
    return solve(literals)
  }

  private mutating func solve(_ literals: [Literal], isLearning: Bool = true) -> Answer {
    let before = formula.solver.work
    let share = min(Self.mostWorkPerQuestion, budget)
    let (answer, scenario) = formula.solve(literals, mostWork: share)
    budget = max(0, budget - (formula.solver.work - before))
    switch answer {
    case .satisfiable:
      if isLearning { samples.learn(scenario) }
      return .possible(.scenario(scenario))
    case .unsatisfiable: return .impossible
    case .undecided:
      giveUp()
      return .undecided
    }
  }

  /// Whether a fact can hold.
  mutating func find(_ facts: Fact...) -> Answer { find(facts) }

  /// Whether a cycle has been worked out.
  func isKnown(cycle: Int) -> Bool {
    circuit.cycles[cycle].allSatisfy { cycles?.outcomes[$0] != nil }
  }

  /// Whether it is worth while to ask about the operands of a cycle.
  func canOmitOperands(in cycle: Int) -> Bool {
    isKnown(cycle: cycle) && cycles?.canOmitOperands(in: cycle) == true
  }

  /// Whether in every scenario the same pebbles run if a gate of a cycle has one operand less.
  mutating func isRedundant(_ omission: SymbolicRun.Omission, in cycle: Int) -> Bool {
    guard let changes = cycles?.changes(in: cycle, omitting: omission), let cycles else {
      giveUp()
      return false
    }
    var nodes: [Int: Literal] = [0: .always]
    for (pebble, ran) in changes.sorted(by: { $0.key < $1.key }) {
      guard let now = formula.literal(of: ran, in: cycles, &nodes) else { return false }
      let difference = formula.difference(now, formula.literal(ofRunning: pebble))
      if !solve([difference], isLearning: false).isImpossible { return false }
    }
    return true
  }

  /// Notes that a question is too much work.
  mutating func giveUp() { undecidedCount += 1 }

  /// A scenario in which the facts hold, with no failures but those that they need; `nil` if it may
  /// take pebbles of which it is not known how they end, or if there have been
  /// enough examples.
  mutating func example(of facts: [Fact], _ witness: Witness) -> Scenario? {
    let scenario =
      switch witness {
      case .lane(let lane): samples.scenario(atLane: lane)
      case .scenario(let scenario): scenario
      }
    let rows = circuit.cone(of: facts.map(\.source))
    guard rowsLeft >= rows.count else { return nil }
    rowsLeft -= rows.count
    return samples.simplify(scenario, for: facts, rows)
  }
}

extension ScenarioSearch.Fact {
  /// The row that it is about.
  fileprivate var source: Int {
    switch self {
    case .signal(let signal): signal.source
    case .condition(let row, _), .stalls(let row, _), .gate(let row, _): row
    }
  }
}
