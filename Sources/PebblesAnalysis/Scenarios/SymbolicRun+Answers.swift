import Pebbles

extension SymbolicRun {
  /// What is not taken into account.
  func limitations(limit: Int) -> [ScenarioLimitation] {
    var limitations: [ScenarioLimitation] = []
    if model.failurePolicy == .custom { limitations.append(.failurePolicy) }
    let unknown = pebbles.count { $0 == nil }
    if unknown > 0 { limitations.append(.tooLarge(unknownPebbles: unknown, limit: limit)) }
    return limitations
  }

  /// How many endings there are.
  ///
  /// What a body would have done that is never called makes no difference. So of all scenarios
  /// those are counted in which all such bodies would have failed: one for each ending.
  mutating func endingCount() throws(DiagramLimitReached) -> LargeCount {
    let isCounted = try countedScenarios(telling: model.mentionedCases)
    return diagram.solutionCount(of: isCounted)
  }

  /// The scenarios that stand for an ending each.
  ///
  /// - Parameter cases: The rows of the cases by which endings are told apart.
  /// - Returns: Their function.
  /// - Throws: `DiagramLimitReached` if it is unknown how a pebble ends, or that does not fit.
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

  /// The variables that are not as they usually are, true, or false for cases and what is caught or
  /// late, in a smallest scenario of a function that is not false everywhere.
  func smallestScenario(where function: BooleanFunction) -> Set<ScenarioVariable> {
    let unusual = diagram.cheapestSolution(of: function) { variable in
      switch variables[variable.number] {
      // With fewer than 2¹² variables of a kind no sum reaches the next; beyond, a scenario may
      // be one of several small ones.
      case .body: (true, 1 << 48)
      case .activation: (true, 1 << 36)
      case .case: (false, 1 << 24)
      case .caught: (false, 1 << 12)
      case .late: (false, 1)
      }
    }
    return Set((unusual ?? []).map { variables[$0.number] })
  }

  /// Minimal sets of failing bodies that make a function true, with every pebble enabled.
  ///
  /// - Parameters:
  ///   - goal: The function.
  ///   - most: How many sets are wanted.
  /// - Returns: The sets, smallest first, and whether there are no others.
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

  /// A function of bodies alone: with every pebble enabled, and cases holding, and a cancellation
  /// catching, as they like.
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
  /// What makes a condition one that is not about the pond of a model, if anything does.
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
