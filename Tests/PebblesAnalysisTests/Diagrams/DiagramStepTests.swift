import Testing

@testable import PebblesAnalysis

/// Tests of the number of steps that a diagram may take, and of the progress that it reports.
@Suite struct DiagramStepTests {
  @Test func itTakesAHundredStepsForEachNodeItMayHaveAndNoMore() throws {
    var diagram = Diagram(nodeLimit: 3)

    try diagram.takeSteps(300)
    #expect(diagram.isExhausted)
    #expect(throws: DiagramLimitReached.self) { try diagram.takeSteps(1) }
    diagram.allowMoreSteps()

    #expect(!diagram.isExhausted)
    #expect(throws: DiagramLimitReached.self) { try diagram.takeSteps(301) }
    #expect(diagram.isExhausted)
  }

  /// Checks that no steps are counted for conjunctions that can be determined without examining a
  /// node.
  @Test func conjunctionsWithConstantsAndWithThemselvesTakeNoStep() throws {
    var diagram = Diagram(nodeLimit: 10)
    let one = try diagram.function(of: diagram.addVariable())
    let two = try diagram.function(of: diagram.addVariable())
    try diagram.takeSteps(1_000)

    #expect(throws: DiagramLimitReached.self) { try diagram.and(one, two) }
    for function in [one, !one, .always, .never] {
      #expect(try diagram.and(.always, function) == function)
      #expect(try diagram.and(function, .always) == function)
      #expect(try diagram.and(function, function) == function)
      #expect(try diagram.and(function, .never) == .never)
      #expect(try diagram.and(function, !function) == .never)
    }
  }

  @Test func replacingAVariableTakesAStepForEachNode() throws {
    var diagram = Diagram(nodeLimit: 10)
    let variable = diagram.addVariable()
    let one = try diagram.function(of: variable)
    let both = try diagram.and(one, diagram.function(of: diagram.addVariable()))
    diagram.allowMoreSteps()

    try diagram.takeSteps(997)
    #expect(try diagram.restrict(both, [variable: false]) == .never)
    #expect(diagram.isExhausted)
    #expect(throws: DiagramLimitReached.self) { try diagram.restrict(both, [variable: false]) }
    #expect(throws: DiagramLimitReached.self) { try diagram.exists([variable], both) }
  }

  @Test func thoseWhoWatchSeeTheStepsThatWereTaken() throws {
    let progress = AnalysisProgress()
    #expect(progress.state.steps == 0)

    try AnalysisProgress.$current.withValue(progress) {
      var diagram = Diagram(nodeLimit: 1_000)
      for _ in 0..<10_000 { try diagram.takeSteps(1) }
    }

    // Steps are noted now and then.
    #expect(abs(progress.state.steps - 10_000) <= 4_096)
  }

  @Test func thoseWhoWatchSeeHowFarItIs() {
    let progress = AnalysisProgress()

    AnalysisProgress.$current.withValue(progress) {
      AnalysisProgress.begin("pebbles followed", of: 7)
      AnalysisProgress.reach(3)
      AnalysisProgress.add(steps: 2)
      AnalysisProgress.add(steps: 3)
    }

    let state = progress.state
    #expect(state.stage == "pebbles followed")
    #expect((state.done, state.total, state.steps) == (3, 7, 5))
  }

  @Test func variablesAreInTheOrderInWhichTheyWereAdded() {
    var diagram = Diagram(nodeLimit: 10)
    let variables = (0..<3).map { _ in diagram.addVariable() }

    #expect(variables.map(\.number) == [0, 1, 2])
    #expect(variables.reversed().sorted() == variables)
  }

  /// Checks which of several solutions of equal cost is returned, for a function that either of two
  /// variables makes true.
  @Test func amongTheCheapestTheOneIsFoundThatLeavesLowerVariables() throws {
    var diagram = Diagram(nodeLimit: 10)
    let (low, high) = (diagram.addVariable(), diagram.addVariable())
    let either = try diagram.or(diagram.function(of: low), diagram.function(of: high))

    #expect(diagram.cheapestSolution(of: either) { _ in (false, 1) } == [high])
    #expect(diagram.cheapestSolution(of: either) { (false, $0 == low ? 1 : 2) } == [low])
  }
}
