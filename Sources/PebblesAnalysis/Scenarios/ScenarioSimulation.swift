import Pebbles

/// Simulates one scenario with the engine itself: what would happen is decided, not run.
///
/// Exact for every pond of any size, in O(pebbles + atoms).
struct ScenarioSimulation {
  private let model: PondModel
  private let state: ReadinessState
  private var decisions = Decisions()
  private var isCancelledByFailure = false

  private init(_ model: PondModel) {
    self.model = model
    state = ReadinessState(model.pond.network)
  }

  /// - Parameters:
  ///   - model: The pond.
  ///   - decide: Asked, in this order, whether each pebble that may be disabled is enabled, and
  ///     then, as they start, whether bodies succeed. Always asked the same after the same answers.
  /// - Returns: How everything ends.
  static func ending(
    of model: PondModel, deciding decide: (ScenarioVariable) -> Bool
  ) -> Ending {
    var simulation = ScenarioSimulation(model)
    simulation.run(catching: [], deciding: decide)
    return simulation.ending
  }

  /// Simulates a scenario in which a failure cancels the run before some pebbles start.
  ///
  /// - Parameters:
  ///   - model: The pond.
  ///   - caught: The pebbles that do not start when they are ready.
  ///   - decide: As in a scenario that goes on to its end.
  /// - Returns: How everything ends, if a failure that no pebble handles, or will, can be what
  ///   cancels the run once all has settled but these and what waits for them; else `nil`.
  static func cancelledEnding(
    of model: PondModel, catching caught: Set<Int>, deciding decide: (ScenarioVariable) -> Bool
  ) -> Ending? {
    var simulation = ScenarioSimulation(model)
    simulation.run(catching: caught, deciding: decide)
    return simulation.isCancelledByFailure ? simulation.ending : nil
  }

  private var ending: Ending {
    let outcomes = (0..<model.count).map { ScenarioOutcome(state.status(of: $0)) }
    var ending = Ending(model: model, outcomes: outcomes)
    if ending.isSubjectToPolicy { ending.limitations.append(.failurePolicy) }
    return ending
  }

  private var hasUnhandledFailure: Bool {
    var handlers = FailureHandlers(model.pond.network)
    return (0..<model.count).contains {
      state.status(of: $0) == .failed
        && handlers.handling(ofFailure: $0, status: state.status(of:)) == .none
    }
  }

  private mutating func run(
    catching caught: Set<Int>, deciding decide: (ScenarioVariable) -> Bool
  ) {
    let optional = model.properties.filter(\.value.isOptional).keys.sorted()
    let disabled = optional.filter { !decide(.activation(Int($0))) }

    state.begin(disabling: disabled, into: &decisions)
    var ready: [UInt32] = []
    var next = 0
    var isAnyCaught = false
    while true {
      takeDecisions(into: &ready)
      if next < ready.count {
        let pebble = Int(ready[next])
        next += 1
        if caught.contains(pebble) {
          isAnyCaught = true
          continue
        }
        state.pebbleStarted(pebble, at: 0)
        let succeeds = decide(.body(pebble))
        state.pebbleFinished(pebble, succeeded: succeeds, at: 0, into: &decisions)
      } else if decisions.settledCount == model.pond.network.pebbleCount {
        return
      } else if isAnyCaught {
        isCancelledByFailure = hasUnhandledFailure
        state.cancelRemaining(at: 0, into: &decisions)
      } else {
        state.resolveStall(model.pond.operands, at: 0, into: &decisions)
      }
    }
  }

  /// Lists what has become ready.
  private mutating func takeDecisions(into ready: inout [UInt32]) {
    ready += decisions.ready
    decisions.ready.removeAll(keepingCapacity: true)
  }
}
