import Pebbles

/// Simulates one scenario with the engine itself: what would happen is decided, not run.
struct ScenarioSimulation {
  private var simulation: CutOffSimulation

  private init(
    _ model: PondModel, asking cases: Set<Int>?, deciding decide: (ScenarioVariable) -> Bool
  ) {
    let optional = model.properties.filter(\.value.isOptional).keys.sorted()
    let asked = cases ?? model.mentionedCases
    let disabled = optional.map(Int.init).filter { !decide(.activation($0)) }
    let known = model.pond.knownOutcomes(disabled: disabled, in: nil) { pebble in
      model.cases(of: pebble, .succeeded, asking: asked, decide)
    }
    simulation = CutOffSimulation(model, asking: asked, knowing: known)
  }

  /// How a run ends in which a failure that cancels it comes last: once all that can has ended, and
  /// before the next stall.
  ///
  /// - Parameters:
  ///   - model: The pond.
  ///   - cases: The rows of the cases that are asked for; if not given, those that conditions
  ///     mention.
  ///   - decide: Asked, in this order, whether each pebble that may be disabled is enabled, which
  ///     cases hold of what the run is given, and then, as they start, whether bodies succeed, and
  ///     which cases hold. Always asked the same after the same answers.
  /// - Returns: How everything ends.
  static func ending(
    of model: PondModel, asking cases: Set<Int>? = nil,
    deciding decide: (ScenarioVariable) -> Bool
  ) -> Ending {
    var scenario = ScenarioSimulation(model, asking: cases, deciding: decide)
    scenario.simulation.run(deciding: decide)
    return scenario.ending
  }

  /// Simulates a scenario in which a failure cancels the run before some pebbles start.
  ///
  /// - Parameters:
  ///   - model: The pond.
  ///   - caught: The pebbles that do not start when they are ready.
  ///   - late: The pebbles that have not ended at the moment of the cut.
  ///   - cases: The rows of the cases that are asked for; if not given, those that conditions
  ///     mention.
  ///   - decide: As in a scenario that goes on to its end.
  /// - Returns: How everything ends, if a failure that no pebble handles, or will, can be what
  ///   cancels the run once all has settled but these and what waits for them; else `nil`.
  static func cancelledEnding(
    of model: PondModel, catching caught: Set<Int>, cutting late: Set<Int>,
    asking cases: Set<Int>? = nil, deciding decide: (ScenarioVariable) -> Bool
  ) -> Ending? {
    var scenario = ScenarioSimulation(model, asking: cases, deciding: decide)
    let isCutOff = scenario.simulation.isCutOff(
      catching: caught, cutting: late, deciding: decide)
    return isCutOff ? scenario.ending : nil
  }

  private var ending: Ending {
    let (model, state) = (simulation.model, simulation.state)
    let outcomes = (0..<model.count).map { ScenarioOutcome(state.status(of: $0)) }
    var ending = Ending(
      model: model, outcomes: outcomes, heldCases: state.heldCases,
      isGoalReached: state.goal.flatMap(state.value(ofGate:)))
    if ending.isSubjectToPolicy { ending.limitations.append(.failurePolicy) }
    return ending
  }
}
