import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests that compare the solver with a search through all assignments.
@Suite(.watched) struct SolverTests {
  static let shards = Array(0..<4)

  @Test(arguments: shards)
  func randomFormulasAreDecidedAsGoingThroughAllAssignmentsDoes(shard: Int) async throws {
    var generator = SeededGenerator(seed: 31_000 + UInt64(shard))
    var (yesCount, noCount) = (0, 0)
    for _ in 0..<Thoroughness.times(60) {
      await Task.yield()
      var formula = RandomFormula(variableCount: Int.random(in: 3...9, using: &generator))
      // Clauses come between the questions, so that what was learned has to stay true.
      for _ in 0..<8 {
        for _ in 0..<Int.random(in: 1...10, using: &generator) { formula.addClause(&generator) }
        let assumptions = formula.randomLiterals(
          Int.random(in: 0...3, using: &generator), &generator)

        let (answer, model) = formula.solve(assumptions)

        let isPossible = formula.isPossible(assumptions)
        try #require(answer == (isPossible ? .satisfiable : .unsatisfiable), "\(formula.clauses)")
        if isPossible {
          yesCount += 1
          try #require(formula.isMet(by: Set(model), assumptions), "\(formula.clauses)")
        } else {
          noCount += 1
        }
      }
    }
    #expect(yesCount > 100 && noCount > 50, "\(yesCount), \(noCount)")
  }

  @Test func whatHasToBeGuessedIsTrue() {
    var solver = Solver()
    let literals = (0..<3).map { _ in solver.addVariable() }
    solver.add([!literals[0], !literals[1]])

    let (answer, model) = solver.solve(
      assuming: [], deciding: literals.map(\.variable), mostWork: 1_000)

    #expect(answer == .satisfiable)
    #expect(Set(model).isSuperset(of: [literals[0], !literals[1], literals[2]]))
  }

  /// Checks that values that follow from the assumptions are found without a decision, regardless
  /// of the order of literals in the clauses.
  @Test(arguments: [false, true])
  func whatFollowsFromAssumptionsNeedNotBeDecided(isReversed: Bool) {
    var solver = Solver()
    let literals = (0..<5).map { _ in solver.addVariable() }
    for (one, next) in zip(literals, literals.dropFirst()) {
      solver.add(isReversed ? [next, !one] : [!one, next])
    }

    let (answer, model) = solver.solve(assuming: [literals[0]], deciding: [], mostWork: 1_000)

    #expect(answer == .satisfiable)
    #expect(Set(model).isSuperset(of: literals))
  }

  /// Checks that the time for adding a clause is proportional to its size. It would be quadratic if
  /// each literal were compared with all others.
  @Test func wideClausesAreAddedInOnePass() {
    var solver = Solver()
    let literals = (0..<100_000).map { _ in solver.addVariable() }

    solver.add(literals + literals)
    solver.add(literals + [!literals[99_999]])

    let (answer, model) = solver.solve(
      assuming: [!literals[0]], deciding: [literals[1].variable], mostWork: 1_000)
    #expect(answer == .satisfiable)
    #expect(Set(model).isSuperset(of: [!literals[0], literals[1]]))
  }

  @Test func aClauseMayRepeatALiteralAndMeansNothingWithItsNegation() {
    var solver = Solver()
    let (one, other) = (solver.addVariable(), solver.addVariable())
    func answer(assuming literals: Literal...) -> Solver.Answer {
      solver.solve(assuming: literals, deciding: [], mostWork: 1_000).answer
    }

    solver.add([one, other, !one])
    #expect(answer(assuming: !one, !other) == .satisfiable)
    solver.add([one, other, one])
    #expect(answer(assuming: !one, !other) == .unsatisfiable)
    #expect(answer(assuming: one, !other) == .satisfiable)
    solver.add([other, other])
    #expect(answer(assuming: !other) == .unsatisfiable)
  }

  @Test func questionThatMayTakeNoWorkIsNotDecided() {
    var solver = Solver()
    let literal = solver.addVariable()

    let answer = solver.solve(assuming: [], deciding: [literal.variable], mostWork: 0).answer

    #expect(answer == .undecided)
    #expect(
      solver.solve(assuming: [], deciding: [literal.variable], mostWork: 1).answer
        == .satisfiable)
  }
}

/// Random clauses over a few variables, and a solver to which they have been added.
private struct RandomFormula {
  private(set) var clauses: [[Literal]] = []
  private var variables: [Literal] = []
  private var solver = Solver()

  init(variableCount: Int) {
    for _ in 0..<variableCount { variables.append(solver.addVariable()) }
  }

  func randomLiterals(_ count: Int, _ generator: inout SeededGenerator) -> [Literal] {
    variables.shuffled(using: &generator).prefix(count).map {
      Bool.random(using: &generator) ? $0 : !$0
    }
  }

  /// Adds a random clause, which in most cases has three literals.
  mutating func addClause(_ generator: inout SeededGenerator) {
    let count = Int.random(in: 0..<12, using: &generator) == 0 ? 1 : 3
    let clause = randomLiterals(count, &generator)
    clauses.append(clause)
    solver.add(clause)
  }

  mutating func solve(_ assumptions: [Literal]) -> (answer: Solver.Answer, model: [Literal]) {
    solver.solve(
      assuming: assumptions, deciding: variables.map(\.variable), mostWork: 1_000_000)
  }

  func isMet(by model: Set<Literal>, _ assumptions: [Literal]) -> Bool {
    (clauses + assumptions.map { [$0] }).allSatisfy { $0.contains(where: model.contains) }
      && variables.allSatisfy { model.contains($0) != model.contains(!$0) }
  }

  func isPossible(_ assumptions: [Literal]) -> Bool {
    (0..<(1 << variables.count)).contains { bits in
      let model = variables.enumerated().map { bits >> $0 & 1 == 1 ? $1 : !$1 }
      return isMet(by: Set(model), assumptions)
    }
  }
}
