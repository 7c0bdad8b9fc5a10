import Pebbles

/// All scenarios of a pond, that is: all ways in which its bodies may end, to be asked what can
/// happen in them.
///
/// A question is looked up in a sample of scenarios first, played 64 at a time; what does not occur
/// there is put to a solver, over one formula that says for every pebble, in terms of the others,
/// when it runs. So most questions cost next to nothing, and the answer is exact all the same. (The
/// same pair as in the simplification of circuits: Mishchenko et al., *FRAIGs*, 2005.)
///
/// A pebble that may be disabled is, or is not, in each scenario. Predicates may do as they like:
/// what is impossible is so whatever they do, but what is possible may need a predicate to play
/// along.
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

  enum Answer {
    case possible(Scenario)
    case impossible
    /// The question took more than its share of work.
    case undecided

    var isImpossible: Bool {
      if case .impossible = self { true } else { false }
    }
  }

  /// Where a scenario is kept.
  enum Scenario {
    case sample(lane: Int)
    case model([Bool])
  }

  let circuit: Circuit
  private(set) var formula: OutcomeFormula
  private let samples: ScenarioSamples
  private var knots: KnotOutcomes?
  private var budget: Int

  /// How many questions were too much work.
  private(set) var undecidedCount = 0

  /// How many literals the solver looks at for one question, and for all.
  static let mostWorkPerQuestion = 2_000_000
  static let mostWork = 60_000_000

  /// How many facts a question may have.
  static let mostFacts = 2_000

  init(_ model: PondModel, _ circuit: Circuit) {
    self.circuit = circuit
    let optional = model.traits.filter { $0.value.isOptional }.keys
    let optionalPebbles = Set(optional.map { Int($0) })
    knots = circuit.knots.isEmpty ? nil : KnotOutcomes(model, circuit)
    formula = OutcomeFormula(circuit, knots, optional: optionalPebbles)
    samples = ScenarioSamples(circuit, knots, optional: optionalPebbles)
    budget = Self.mostWork
  }

  /// Whether all of the facts can hold in one scenario.
  mutating func find(_ facts: [Fact]) -> Answer {
    guard facts.count <= Self.mostFacts else {
      giveUp()
      return .undecided
    }
    let literals = facts.map { formula.literal(of: $0) }
    if literals.contains(.never) { return .impossible }
    if let lane = samples.lane(where: facts) { return .possible(.sample(lane: lane)) }
    return solve(literals)
  }

  private mutating func solve(_ literals: [Literal]) -> Answer {
    let before = formula.solver.work
    let share = min(Self.mostWorkPerQuestion, budget)
    let (answer, model) = formula.solver.solve(assuming: literals, mostWork: share)
    budget = max(0, budget - (formula.solver.work - before))
    switch answer {
    case .satisfiable: return .possible(.model(model))
    case .unsatisfiable: return .impossible
    case .undecided:
      undecidedCount += 1
      return .undecided
    }
  }

  /// Whether a fact can hold.
  mutating func find(_ facts: Fact...) -> Answer { find(facts) }

  /// Whether a knot has been worked out.
  func isKnown(knot: Int) -> Bool {
    circuit.knots[knot].allSatisfy { knots?.outcomes[$0] != nil }
  }

  /// Whether it is worth while to ask about the operands of a knot.
  func canOmitOperands(in knot: Int) -> Bool {
    isKnown(knot: knot) && knots?.canOmitOperands(in: knot) == true
  }

  /// Whether in every scenario the same pebbles run if a gate of a knot has one operand less.
  mutating func isRedundant(_ omission: SymbolicRun.Omission, in knot: Int) -> Bool {
    guard let changes = knots?.changes(in: knot, omitting: omission), let knots else {
      giveUp()
      return false
    }
    var nodes: [Int: Literal] = [0: .always]
    for (pebble, ran) in changes.sorted(by: { $0.key < $1.key }) {
      guard let now = formula.literal(of: ran, in: knots, &nodes) else { return false }
      let difference = formula.difference(now, formula.literal(ofRunning: pebble))
      if !solve([difference]).isImpossible { return false }
    }
    return true
  }

  /// Notes that a question is too much work.
  mutating func giveUp() { undecidedCount += 1 }

  /// The bodies that fail in a scenario in which the facts hold, and the pebbles that are disabled
  /// there. Failures that the facts do not need are left out, one by one.
  mutating func example(
    of facts: [Fact], _ scenario: Scenario
  ) -> (failing: [Int], disabled: [Int]) {
    var scenario = scenario
    let literals = facts.map { formula.literal(of: $0) }
    var needed: [Int] = []
    var open = failing(in: scenario)
    while let next = open.popLast() {
      guard needed.count + open.count < Self.mostExamined else { break }
      // All bodies succeed but these.
      let others = Set(needed + open)
      let succeeding = (0..<circuit.network.pebbleCount).filter { !others.contains($0) }
      if case .possible(let better) = solve(literals + succeeding.map(formula.body(of:))) {
        scenario = better
        open = failing(in: better).filter { !needed.contains($0) }
      } else {
        needed.append(next)
      }
    }
    let disabled = formula.optional.sorted().filter { !isEnabled($0, in: scenario) }
    return (failing(in: scenario), disabled)
  }

  /// Up to how many failures it is worth to look for a smaller scenario.
  private static let mostExamined = 12

  private func failing(in scenario: Scenario) -> [Int] {
    (0..<circuit.network.pebbleCount).filter { pebble in
      switch scenario {
      case .sample(let lane): samples.isTrue(.failed(pebble), lane: lane)
      case .model(let model): formula.isFailed(pebble, in: model)
      }
    }
  }

  private func isEnabled(_ pebble: Int, in scenario: Scenario) -> Bool {
    switch scenario {
    case .sample(let lane): samples.isEnabled(pebble, lane: lane)
    case .model(let model): formula.isEnabled(pebble, in: model)
    }
  }
}
