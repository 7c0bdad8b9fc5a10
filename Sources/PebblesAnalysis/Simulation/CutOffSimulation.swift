import Pebbles

/// A run by the engine itself, without bodies and without time, that the policy `.cancelAll` may
/// cut off.
///
/// Exact for every pond of any size, in O(pebbles + atoms) for each stall.
struct CutOffSimulation {
  let model: PondModel
  let state: ReadinessState
  private let asked: Set<Int>
  private var decisions = Decisions()
  private var handlers: FailureHandlers
  private var ready: [UInt32] = []
  private var next = 0

  /// The pebbles that have failed, and of these the ones from before the last stall.
  private var failures: [Int] = []
  private var earlierFailures: ArraySlice<Int> = []

  /// - Parameters:
  ///   - model: The pond.
  ///   - cases: The rows of the cases that are asked for; of the others none holds.
  init(_ model: PondModel, asking cases: Set<Int>) {
    self.model = model
    asked = cases
    state = ReadinessState(model.pond.network)
    handlers = FailureHandlers(model.pond.network)
  }

  private var isOver: Bool { decisions.settledCount == model.pond.network.pebbleCount }

  /// Settles what no body has to be called for.
  ///
  /// - Parameter disabled: The pebbles that take no part.
  mutating func begin(disabling disabled: [UInt32]) {
    state.begin(disabling: disabled, into: &decisions)
    takeDecisions()
  }

  /// Runs to the end, with a failure that cancels the run coming last: once all that can has ended,
  /// and before the next stall.
  ///
  /// - Parameter decide: Asked, as they start, whether bodies succeed, and which cases hold.
  mutating func run(deciding decide: (ScenarioVariable) -> Bool) {
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
  /// - Parameters:
  ///   - caught: The pebbles that do not start when they are ready.
  ///   - late: The pebbles that have not ended at the moment of the cut.
  ///   - decide: As in a run that goes on to its end.
  /// - Returns: Whether an unhandled failure cuts it off there, once all has settled but these and
  ///   what waits for them.
  mutating func isCutOff(
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
    let hasSucceeded = decide(.body(pebble))
    if !hasSucceeded { failures.append(pebble) }
    let cases = cases(of: pebble, hasSucceeded ? .succeeded : .failed, decide)
    state.pebbleFinished(
      pebble, succeeded: hasSucceeded, cases: cases, at: 0, into: &decisions)
    takeDecisions()
  }

  private func cases(
    of pebble: Int, _ outcomes: OutcomeSet, _ decide: (ScenarioVariable) -> Bool
  ) -> CaseSet {
    guard !model.pond.network.cases.rows(of: pebble).isEmpty else { return CaseSet() }
    let choices = CaseChoices(of: pebble, outcomes, in: model.pond)
    return model.caseSet(ofRows: choices.choose(asking: asked.contains) { decide(.case($0)) })
  }

  private mutating func resolveStall() {
    state.resolveStall(model.pond.operands, at: 0, into: &decisions)
    takeDecisions()
  }

  /// Whether there is one among some failures that no pebble handles, or ever will.
  private mutating func isUnhandled(anyOf failures: ArraySlice<Int>) -> Bool {
    let state = state
    return failures.contains {
      handlers.handling(ofFailure: $0, in: state) == .none
    }
  }

  /// Lists what has become ready.
  private mutating func takeDecisions() {
    ready += decisions.ready
    decisions.ready.removeAll(keepingCapacity: true)
  }
}
