import Pebbles

/// A simulation of one scenario with the actual engine. No body is called; a closure decides how
/// bodies end.
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

  /// Simulates a run. A failure that cancels the run comes as late as possible, that is, when all
  /// bodies that can end before the next stall have ended.
  ///
  /// - Parameters:
  ///   - model: The pond.
  ///   - cases: The rows of the cases to decide; by default, the cases that conditions mention.
  ///   - decide: A closure that makes the decisions. It first decides which optional pebbles are
  ///     enabled, and then which cases hold for the outputs that are given to the run. Whenever a
  ///     body ends, the closure decides whether the body succeeds and which cases hold. The same
  ///     decisions always lead to the same questions.
  /// - Returns: The outcomes of all pebbles.
  static func ending(
    of model: PondModel, asking cases: Set<Int>? = nil,
    deciding decide: (ScenarioVariable) -> Bool
  ) -> Ending {
    var scenario = ScenarioSimulation(model, asking: cases, deciding: decide)
    scenario.simulation.run(deciding: decide)
    var ending = scenario.ending
    ending.limitations = model.policyLimitations(
      hasFailures: ending.outcomes.contains(.failed), isCancelled: ending.isCancelled)
    return ending
  }

  /// Simulates a scenario where a failure cancels the run before some pebbles start.
  ///
  /// - Parameters:
  ///   - model: The pond.
  ///   - caught: The pebbles that do not start when they become ready.
  ///   - late: The pebbles whose bodies end last. All other pebbles settle earlier, except the
  ///     pebbles in `caught` and the pebbles that wait for a pebble in `caught` or `late`.
  ///   - cases: The rows of the cases to decide; by default, the cases that conditions mention.
  ///   - decide: A closure that makes the same decisions as in a run that is not cut off.
  /// - Returns: The outcomes of all pebbles; `nil` if all failures are handled once the bodies of
  ///   `late` have ended, or if a failure is unhandled even before they end.
  static func cancelledEnding(
    of model: PondModel, catching caught: Set<Int>, endingLast late: Set<Int>,
    asking cases: Set<Int>? = nil, deciding decide: (ScenarioVariable) -> Bool
  ) -> Ending? {
    var scenario = ScenarioSimulation(model, asking: cases, deciding: decide)
    let isCancelled = scenario.simulation.simulateCancellation(
      catching: caught, endingLast: late, deciding: decide)
    return isCancelled ? scenario.ending : nil
  }

  private var ending: Ending { Ending(of: simulation.model, simulation.state) }
}
