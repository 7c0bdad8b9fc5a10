import Pebbles

/// A run by the engine itself, without bodies and without time, that the policy `.cancelAll` may
/// cut off.
///
/// Exact for every pond of any size, in O(pebbles + atoms) for each stall.
struct CutOffSimulation {
  let model: PondModel
  private let asked: Set<Int>
  private var driver: ReadinessDriver
  private var handlers: FailureHandlers

  /// The pebbles that have started, in order; those from the place of `next` on run.
  private var started: [Int] = []
  private var next = 0

  /// The pebbles that have failed, and of these the ones from before the last stall.
  private var failures: [Int] = []
  private var earlierFailures: ArraySlice<Int> = []

  /// Settles what no body has to be called for.
  ///
  /// - Parameters:
  ///   - model: The pond.
  ///   - cases: The rows of the cases that are asked for; of the others none holds.
  ///   - known: What is known as the run begins.
  init(_ model: PondModel, asking cases: Set<Int>, knowing known: KnownOutcomes) {
    self.model = model
    asked = cases
    driver = ReadinessDriver(ReadinessState(model.pond.network), knowing: known)
    handlers = FailureHandlers(model.pond.network)
  }

  var state: ReadinessState { driver.state }

  /// Runs to the end, with a failure that cancels the run coming last: once all that can has ended,
  /// and before the next stall.
  ///
  /// - Parameter decide: Asked, as they start, whether bodies succeed, and which cases hold.
  mutating func run(deciding decide: (ScenarioVariable) -> Bool) {
    let isCancelledByFailures = model.failurePolicy == .cancelAll
    startReady()
    while !driver.isFinished {
      if next < started.count {
        let settled = driver.settledCount
        endNext(decide)
        let areOthersSkipped = driver.settledCount > settled + 1
        if areOthersSkipped, isUnhandled(anyOf: earlierFailures) {
          // That is looked at before anything starts that has become ready with it.
          endAll(decide)
          return cancel()
        }
      } else {
        if isCancelledByFailures, isUnhandled(anyOf: failures[...]) { return cancel() }
        settleAtRest()
        if isCancelledByFailures {
          if isUnhandled(anyOf: failures[...]) { return cancel() }
          earlierFailures = failures[...]
        }
      }
      startReady()
    }
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
    var isAnyCaught = false
    while true {
      while let pebble = driver.takeReady() {
        if caught.contains(pebble) {
          isAnyCaught = true
        } else {
          driver.start(pebble, at: 0)
          if late.contains(pebble) { started.append(pebble) } else { end(pebble, decide) }
        }
      }
      if isAnyCaught || !started.isEmpty { break }
      // What has come to rest goes on to its end, or was cut off before.
      if driver.isFinished || isUnhandled(anyOf: failures[...]) { return false }
      settleAtRest()
      if isUnhandled(anyOf: failures[...]) {
        cancel()
        return true
      }
    }
    if !started.isEmpty, isUnhandled(anyOf: failures[...]) { return false }
    endAll(decide)
    let isUnhandled = isUnhandled(anyOf: failures[...])
    cancel()
    return isUnhandled
  }

  private mutating func startReady() {
    while let pebble = driver.takeReady() {
      driver.start(pebble, at: 0)
      started.append(pebble)
    }
  }

  private mutating func endAll(_ decide: (ScenarioVariable) -> Bool) {
    while next < started.count { endNext(decide) }
  }

  private mutating func endNext(_ decide: (ScenarioVariable) -> Bool) {
    next += 1
    end(started[next - 1], decide)
  }

  private mutating func end(_ pebble: Int, _ decide: (ScenarioVariable) -> Bool) {
    let hasSucceeded = decide(.body(pebble))
    if !hasSucceeded { failures.append(pebble) }
    let cases = model.cases(
      of: pebble, hasSucceeded ? .succeeded : .failed, asking: asked, decide)
    driver.end(pebble, succeeded: hasSucceeded, cases: cases, at: 0)
  }

  private mutating func settleAtRest() { driver.settleAtRest(model.pond.operands, at: 0) }

  private mutating func cancel() {
    driver.cancel()
    settleAtRest()
  }

  /// Whether there is one among some failures that no pebble handles, or ever will.
  private mutating func isUnhandled(anyOf failures: ArraySlice<Int>) -> Bool {
    let state = state
    return failures.contains {
      handlers.handling(ofFailure: $0, in: state) == .unhandled
    }
  }
}
