import Pebbles

/// A search among all scenarios of a pond. Each scenario is one way in which the bodies can end.
/// The search determines whether given facts can all hold in one scenario.
///
/// The search first checks a sample of scenarios, which are simulated 64 at a time. If the facts do
/// not hold in any scenario of the sample, a solver decides, using a formula that describes when
/// each pebble runs. Most questions therefore take almost no time, but the answers are exact. (The
/// same combination is used to simplify circuits: Mishchenko et al., *FRAIGs*, 2005.)
///
/// A pebble that may be disabled is enabled in some scenarios, and disabled in others.
struct ScenarioSearch {
  typealias Signal = Circuit.Signal

  /// A statement that is either true or false in a given scenario, once every pebble has settled.
  enum Fact {
    case signal(Signal)
    /// The fact that the condition of a pebble has the given value.
    case condition(Int, Bool)
    /// The fact that a pebble stalls, or that it does not.
    case stalls(Int, Bool)
    /// The fact that a gate would be true if all atoms that read certain pebbles were true.
    case gate(Int, freeing: Set<Int>)

    static var impossible: Fact { .signal(Signal(0, [])) }
    static func ran(_ pebble: Int) -> Fact { .signal(Signal(pebble, .completed)) }
    static func skipped(_ pebble: Int) -> Fact { .signal(Signal(pebble, .skipped)) }
    static func failed(_ pebble: Int) -> Fact { .signal(Signal(pebble, .failed)) }
  }

  typealias Scenario = ScenarioSamples.Scenario

  enum Answer {
    /// A scenario in which the facts hold.
    case possible(Witness)
    case impossible
    /// A question that would take more work than allowed.
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

  /// The number of rows that may still be simulated in order to find examples.
  private var rowsLeft = 5_000_000

  /// The number of questions that would have taken too much work.
  private(set) var undecidedCount = 0

  /// The maximum number of literals that the solver examines for one question; `mostWork` is the
  /// maximum for all questions together.
  static let mostWorkPerQuestion = 2_000_000
  static let mostWork = 20_000_000

  /// The maximum number of facts in a question.
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

  /// Determines whether all of the facts can hold in one scenario.
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

  /// Determines whether all of the facts can hold in one scenario.
  mutating func find(_ facts: Fact...) -> Answer { find(facts) }

  /// Returns whether the outcomes of a cycle have been computed.
  func isKnown(cycle: Int) -> Bool {
    circuit.cycles[cycle].allSatisfy { cycles?.outcomes[$0] != nil }
  }

  /// Returns whether a cycle can be examined by leaving out its operands one at a time. This
  /// requires that the outcomes of the cycle are known, and that the cycle is small enough to be
  /// recomputed for each operand.
  func canOmitOperands(in cycle: Int) -> Bool {
    isKnown(cycle: cycle) && cycles?.canOmitOperands(in: cycle) == true
  }

  /// Returns whether an operand of a gate in a cycle can be left out without changing which pebbles
  /// run in any scenario; `false` if this is not known.
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

  /// Records that a question would have taken too much work.
  mutating func giveUp() { undecidedCount += 1 }

  /// Returns a scenario in which the given facts hold, without the failures that a quick search
  /// finds to be unnecessary. The outcomes on which the facts depend should be known.
  ///
  /// - Returns: The scenario; `nil` if no more examples may be simulated, or if the facts depend on
  ///   unknown outcomes and do not hold in a simulation of `witness`.
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
  /// The row whose value or outcome determines whether the fact holds.
  fileprivate var source: Int {
    switch self {
    case .signal(let signal): signal.source
    case .condition(let row, _), .stalls(let row, _), .gate(let row, _): row
    }
  }
}
