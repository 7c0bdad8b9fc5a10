import Pebbles

/// Simulates one scenario with the engine itself: what would happen is decided, not run.
///
/// Exact for every pond of any size, in O(pebbles + atoms).
struct ScenarioSimulation {
  private let model: PondModel
  private let state: ReadinessState
  private var decisions = Decisions()
  private var handlers: FailureHandlers
  private var ready: [UInt32] = []
  private var next = 0

  /// The pebbles that have failed, and of these the ones from before the last stall.
  private var failures: [Int] = []
  private var earlierFailures: ArraySlice<Int> = []

  private init(_ model: PondModel) {
    self.model = model
    state = ReadinessState(model.pond.network)
    handlers = FailureHandlers(model.pond.network)
  }

  /// How a run ends in which a failure that cancels it comes last: once all that can has ended, and
  /// before the next stall.
  ///
  /// - Parameters:
  ///   - model: The pond.
  ///   - disabled: The pebbles that take no part; if `nil`, it is asked about those that may be
  ///     disabled.
  ///   - decide: Asked, in this order, whether each pebble that may be disabled is enabled, and
  ///     then, as they start, whether bodies succeed. Always asked the same after the same answers.
  /// - Returns: How everything ends.
  static func ending(
    of model: PondModel, disabling disabled: Set<Int>? = nil,
    deciding decide: (ScenarioVariable) -> Bool
  ) -> Ending {
    var simulation = ScenarioSimulation(model)
    simulation.begin(disabling: disabled, deciding: decide)
    simulation.run(deciding: decide)
    return simulation.ending
  }

  /// Simulates a scenario in which a failure cancels the run before some pebbles start.
  ///
  /// - Parameters:
  ///   - model: The pond.
  ///   - caught: The pebbles that do not start when they are ready.
  ///   - late: The pebbles that have not ended at the moment of the cut.
  ///   - decide: As in a scenario that goes on to its end.
  /// - Returns: How everything ends, if a failure that no pebble handles, or will, can be what
  ///   cancels the run once all has settled but these and what waits for them; else `nil`.
  static func cancelledEnding(
    of model: PondModel, catching caught: Set<Int>, cutting late: Set<Int> = [],
    deciding decide: (ScenarioVariable) -> Bool
  ) -> Ending? {
    var simulation = ScenarioSimulation(model)
    simulation.begin(disabling: nil, deciding: decide)
    guard simulation.isCutOff(catching: caught, cutting: late, deciding: decide) else {
      return nil
    }
    return simulation.ending
  }

  private var ending: Ending {
    let outcomes = (0..<model.count).map { ScenarioOutcome(state.status(of: $0)) }
    var ending = Ending(model: model, outcomes: outcomes)
    if ending.isSubjectToPolicy { ending.limitations.append(.failurePolicy) }
    return ending
  }

  private var isOver: Bool { decisions.settledCount == model.pond.network.pebbleCount }

  private mutating func begin(
    disabling disabled: Set<Int>?, deciding decide: (ScenarioVariable) -> Bool
  ) {
    if let disabled {
      state.begin(disabling: disabled.sorted().map(UInt32.init), into: &decisions)
    } else {
      let optional = model.properties.filter(\.value.isOptional).keys.sorted()
      let disabled = optional.filter { !decide(.activation(Int($0))) }
      state.begin(disabling: disabled, into: &decisions)
    }
    takeDecisions()
  }

  private mutating func run(deciding decide: (ScenarioVariable) -> Bool) {
    let isCancelledByFailures = model.failurePolicy == .cancelAll
    while true {
      while next < ready.count {
        let known = ready.count
        let settled = decisions.settledCount
        let pebble = takeReady()
        start(pebble)
        finish(pebble, decide)
        let areOthersSkipped = decisions.settledCount > settled + 1
        guard areOthersSkipped, isUnhandled(anyOf: earlierFailures) else { continue }
        // That is looked at before anything starts that has become ready with it.
        ready.removeSubrange(known...)
        endAll(decide)
        return state.cancelRemaining(at: 0, into: &decisions)
      }
      if isOver { return }
      if isCancelledByFailures, isUnhandled(anyOf: failures[...]) { break }
      resolveStall()
      if isCancelledByFailures {
        if isUnhandled(anyOf: failures[...]) { break }
        earlierFailures = failures[...]
      }
    }
    state.cancelRemaining(at: 0, into: &decisions)
  }

  /// Follows the run up to the moment at which it is cut off, and ends it.
  ///
  /// - Returns: Whether an unhandled failure cuts it off there.
  private mutating func isCutOff(
    catching caught: Set<Int>, cutting late: Set<Int>, deciding decide: (ScenarioVariable) -> Bool
  ) -> Bool {
    var running: [Int] = []
    var isAnyCaught = false
    while true {
      while next < ready.count {
        let pebble = takeReady()
        if caught.contains(pebble) {
          isAnyCaught = true
        } else {
          start(pebble)
          if late.contains(pebble) { running.append(pebble) } else { finish(pebble, decide) }
        }
      }
      if isAnyCaught || !running.isEmpty { break }
      // What has come to rest goes on to its end, or was cut off before.
      if isOver || isUnhandled(anyOf: failures[...]) { return false }
      resolveStall()
      if isUnhandled(anyOf: failures[...]) {
        state.cancelRemaining(at: 0, into: &decisions)
        return true
      }
    }
    if !running.isEmpty, isUnhandled(anyOf: failures[...]) { return false }
    for pebble in running { finish(pebble, decide) }
    let isUnhandled = isUnhandled(anyOf: failures[...])
    state.cancelRemaining(at: 0, into: &decisions)
    return isUnhandled
  }

  private mutating func endAll(_ decide: (ScenarioVariable) -> Bool) {
    let known = ready.count
    while next < known {
      let pebble = takeReady()
      start(pebble)
      finish(pebble, decide)
    }
  }

  private mutating func takeReady() -> Int {
    next += 1
    return Int(ready[next - 1])
  }

  private func start(_ pebble: Int) { state.pebbleStarted(pebble, at: 0) }

  private mutating func finish(_ pebble: Int, _ decide: (ScenarioVariable) -> Bool) {
    let succeeds = decide(.body(pebble))
    if !succeeds { failures.append(pebble) }
    state.pebbleFinished(pebble, succeeded: succeeds, at: 0, into: &decisions)
    takeDecisions()
  }

  private mutating func resolveStall() {
    state.resolveStall(model.pond.operands, at: 0, into: &decisions)
    takeDecisions()
  }

  /// Whether there is one among some failures that no pebble handles, or ever will.
  private mutating func isUnhandled(anyOf failures: ArraySlice<Int>) -> Bool {
    let state = state
    return failures.contains {
      handlers.handling(ofFailure: $0, status: state.status(of:)) == .none
    }
  }

  /// Lists what has become ready.
  private mutating func takeDecisions() {
    ready += decisions.ready
    decisions.ready.removeAll(keepingCapacity: true)
  }
}
