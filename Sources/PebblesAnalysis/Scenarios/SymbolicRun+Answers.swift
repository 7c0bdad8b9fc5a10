import Pebbles

extension SymbolicRun {
  /// Returns the facts that the answers do not take into account.
  func limitations(limit: Int) -> [ScenarioLimitation] {
    var limitations: [ScenarioLimitation] = []
    if model.failurePolicy == .custom { limitations.append(.failurePolicy) }
    let unknown = pebbles.count { $0 == nil }
    if unknown > 0 { limitations.append(.tooLarge(unknownPebbles: unknown, limit: limit)) }
    return limitations
  }

  /// Returns the number of distinct endings of the run.
  ///
  /// A body that is not called does not affect the ending. Therefore, only one scenario is counted
  /// for each ending: the one where all bodies that are not called would have failed.
  mutating func endingCount() throws(DiagramLimitReached) -> LargeCount {
    let isCounted = try countedScenarios(telling: model.mentionedCases)
    return diagram.solutionCount(of: isCounted)
  }

  /// Returns the scenarios to count: exactly one for each ending.
  ///
  /// - Parameter cases: The rows of the cases that distinguish endings.
  /// - Returns: The function that is true in these scenarios.
  /// - Throws: `DiagramLimitReached` if the outcome of a pebble is unknown, or the function does
  ///   not fit into the diagram.
  mutating func countedScenarios(
    telling cases: Set<Int>
  ) throws(DiagramLimitReached) -> BooleanFunction {
    guard pebbles.allSatisfy({ $0 != nil }) else { throw DiagramLimitReached() }
    var isCounted = BooleanFunction.always
    AnalysisProgress.begin("bodies counted", of: variables.count)
    for (place, variable) in variables.enumerated() {
      guard case .body(let position) = variable else { continue }
      AnalysisProgress.reach(place)
      guard let pebble = pebbles[position], let body = bodies[position] else {
        throw DiagramLimitReached()
      }
      let succeeds = try diagram.function(of: body)
      isCounted = try diagram.and(isCounted, !diagram.and(succeeds, !pebble.ran))
    }
    return try diagram.and(isCounted, countedChoices(cases))
  }

  /// Finds a scenario that makes a function true and deviates as little as possible from the usual
  /// one, and returns the variables that deviate.
  ///
  /// In the usual scenario, all variables are true, except those for cases and for caught or late
  /// pebbles. Failing bodies weigh most, then disabled pebbles, cases, caught pebbles and late
  /// pebbles.
  ///
  /// - Precondition: The function is true in at least one scenario.
  func smallestScenario(where function: BooleanFunction) -> Set<ScenarioVariable> {
    let unusual = diagram.cheapestSolution(of: function) { variable in
      switch variables[variable.number] {
      // No pond has 2²⁵ variables of a kind, so no sum reaches the cost of the next kind.
      case .body: (true, 1 << 100)
      case .activation: (true, 1 << 75)
      case .case: (false, 1 << 50)
      case .caught: (false, 1 << 25)
      case .late: (false, 1)
      }
    }
    return Set((unusual ?? []).map { variables[$0.number] })
  }

  /// Returns minimal sets of failing bodies that make a function true, with every pebble enabled.
  ///
  /// - Parameters:
  ///   - goal: The function to make true.
  ///   - most: The maximum number of sets.
  /// - Returns: The sets, smallest first, and whether the list is known to be complete.
  mutating func smallestFailures(
    leadingTo goal: BooleanFunction, atMost most: Int
  ) -> (sets: [[Int]], isComplete: Bool) {
    var sets: [[Int]] = []
    do throws(DiagramLimitReached) {
      var rest = try onlyBodies(goal)
      while rest != .never {
        guard sets.count < most,
          let solution = diagram.cheapestSolution(of: rest, usual: { _ in (true, 1) })
        else { return (sets, false) }
        sets.append(
          solution.compactMap { variable in
            if case .body(let pebble) = variables[variable.number] { pebble } else { nil }
          })
        var someSucceed: [BooleanFunction] = []
        for variable in solution { someSucceed.append(try diagram.function(of: variable)) }
        rest = try diagram.and(rest, diagram.any(someSucceed))
      }
      return (sets, true)
    } catch {
      return (sets, false)
    }
  }

  /// Returns a function that depends only on bodies. The result is true if `function` is true for
  /// some choice of cases and cancellations, with every pebble enabled.
  private mutating func onlyBodies(
    _ function: BooleanFunction
  ) throws(DiagramLimitReached) -> BooleanFunction {
    var enabled: [DiagramVariable: Bool] = [:]
    var free: Set<DiagramVariable> = []
    for variable in diagram.variables(of: function) {
      switch variables[variable.number] {
      case .body: continue
      case .activation: enabled[variable] = true
      case .case, .caught, .late: free.insert(variable)
      }
    }
    return try diagram.exists(free, diagram.restrict(function, enabled))
  }
}

extension Condition {
  /// Returns an error if the condition mentions a pebble or a case that a model does not have;
  /// `nil` if the model has all of them.
  func error(mentionedBy text: () -> String, in model: PondModel) -> (any Error)? {
    var known: Set<ObjectIdentifier> = []
    var pending = [self]
    while let condition = pending.popLast() {
      switch condition.expression {
      case .constant: continue
      case .atom(let atom):
        guard let position = model.position(of: atom.pebble) else {
          return model.pond.graph.error(for: atom.pebble, mentionedBy: text())
        }
        let count = model.pond.network.cases.rows(of: position).count
        if let place = atom.casePlace, place >= count {
          return model.pond.graph.error(forCaseIn: text())
        }
      case .compound(let node):
        guard known.insert(ObjectIdentifier(node)).inserted else { continue }
        pending += node.operands
      }
    }
    return nil
  }
}
