import Pebbles

/// Plays one scenario with the engine itself: what would happen is decided, not run.
///
/// Exact for every pond of any size, in O(pebbles + atoms).
struct Rehearsal {
  private let model: PondModel
  private let state: ReadinessState
  private var decisions = Decisions()
  private var predicates: [Bool] = []

  private init(_ model: PondModel) {
    self.model = model
    state = ReadinessState(model.pond.network)
  }

  /// - Parameters:
  ///   - model: The pond.
  ///   - decide: Asked, in this order, whether each pebble that may be disabled is enabled, whether
  ///     each predicate holds, and then, as they start, whether bodies succeed. Always asked the
  ///     same after the same answers.
  /// - Returns: How everything ends.
  static func ending(
    of model: PondModel, deciding decide: (ScenarioVariable) -> Bool
  ) -> Ending {
    var rehearsal = Rehearsal(model)
    rehearsal.run(deciding: decide)
    let outcomes = (0..<model.count).map { ScenarioOutcome(rehearsal.state.status(of: $0)) }
    return Ending(
      model: model, outcomes: outcomes, predicates: rehearsal.predicates,
      limitations: rehearsal.limitations(isAnyFailing: outcomes.contains(.failed)))
  }

  private func limitations(isAnyFailing: Bool) -> [ScenarioLimitation] {
    var limitations: [ScenarioLimitation] = []
    if !predicates.isEmpty { limitations.append(.predicates(count: predicates.count)) }
    if !model.ignoresFailures, isAnyFailing { limitations.append(.failurePolicy) }
    return limitations
  }

  private mutating func run(deciding decide: (ScenarioVariable) -> Bool) {
    let network = model.pond.network
    let optional = model.properties.filter(\.value.isOptional).keys.sorted()
    let disabled = optional.filter { !decide(.activation(Int($0))) }
    predicates = (0..<network.predicateCount).map { decide(.predicate($0)) }

    state.begin(disabling: disabled, into: &decisions)
    var ready: [UInt32] = []
    var next = 0
    while true {
      takeDecisions(into: &ready)
      if next < ready.count {
        let pebble = Int(ready[next])
        next += 1
        state.pebbleStarted(pebble, at: 0)
        let succeeds = decide(.body(pebble))
        state.pebbleFinished(pebble, succeeded: succeeds, at: 0, into: &decisions)
      } else if decisions.settledCount < network.pebbleCount {
        state.resolveStall(model.pond.operands, at: 0, into: &decisions)
      } else {
        return
      }
    }
  }

  /// Lets predicates hold, and lists what has become ready.
  private mutating func takeDecisions(into ready: inout [UInt32]) {
    while let request = decisions.predicates.popLast() {
      let number = Int(request.predicate)
      if predicates[number] {
        state.predicateHeld(number, cause: request.cause, into: &decisions)
      }
    }
    ready += decisions.ready
    decisions.ready.removeAll(keepingCapacity: true)
  }
}
