import Pebbles

/// A simulation of a run that the failure policy `.cancelAll` may cancel. It uses the real engine,
/// but calls no bodies and ignores time.
///
/// The simulation is exact for ponds of any size, and takes O(pebbles + atoms) time for each stall.
struct CutOffSimulation {
  let model: PondModel
  private let asked: Set<Int>
  private var driver: ReadinessDriver

  /// The pebbles that have started, in order. The pebbles from index `next` on are running.
  private var started: [Int] = []
  private var next = 0

  /// The failures that have been examined and that a pebble may still handle. `failures` contains
  /// the failed pebbles whose failures have not been examined yet.
  private var earlierFailures = OpenFailures()
  private var failures: [Int] = []

  /// Creates a simulation, and settles the pebbles whose outcomes do not depend on any body.
  ///
  /// - Parameters:
  ///   - model: The pond.
  ///   - cases: The rows of the cases to decide; see `PondModel.cases(of:_:asking:_:)`.
  ///   - known: The outcomes that are known when the run begins.
  init(_ model: PondModel, asking cases: Set<Int>, knowing known: KnownOutcomes) {
    self.model = model
    asked = cases
    driver = ReadinessDriver(
      ReadinessState(model.pond.network, goal: model.pond.network.goal), knowing: known,
      listsSkipped: true)
  }

  var state: ReadinessState { driver.state }

  /// Simulates the run to its end. A failure cancels the run only after all bodies that can end
  /// have ended, and before the next stall.
  ///
  /// - Parameter decide: A closure that returns whether a body succeeds or a case holds; called for
  ///   each pebble that runs, in the order in which the pebbles start.
  mutating func run(deciding decide: (ScenarioVariable) -> Bool) {
    let isCancelledByFailures = model.failurePolicy == .cancelAll
    startReady()
    while !driver.isFinished {
      if next < started.count {
        endNext(decide)
        if isCancelledByFailures, isAnyEarlierFailureUnhandled() {
          // The policy is applied before pebbles that became ready just now can start.
          endAll(decide)
          return cancel()
        }
      } else {
        if isCancelledByFailures, isAnyFailureUnhandled() { return cancel() }
        settleAtRest()
        if isCancelledByFailures, isAnyFailureUnhandled() { return cancel() }
      }
      startReady()
    }
  }

  /// Simulates the run up to the moment at which a failure may cancel it, and then cancels it.
  ///
  /// - Parameters:
  ///   - caught: The pebbles that do not start when they are ready.
  ///   - late: The pebbles whose bodies end last. All other pebbles settle earlier, except the
  ///     pebbles in `caught` and the pebbles that wait for a pebble in `caught` or `late`.
  ///   - decide: A closure that returns whether a body succeeds or a case holds, as in
  ///     `run(deciding:)`.
  /// - Returns: `true` if a failure is unhandled at that moment, and therefore cancels the run;
  ///   otherwise, `false`. The result is also `false` if a pebble in `late` has started, but a
  ///   failure is unhandled even before the late bodies end.
  mutating func simulateCancellation(
    catching caught: Set<Int>, endingLast late: Set<Int>,
    deciding decide: (ScenarioVariable) -> Bool
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
      // A run that is at rest here continues to its end, or a failure has cancelled it before.
      if driver.isFinished || isAnyFailureUnhandled() { return false }
      settleAtRest()
      if isAnyFailureUnhandled() {
        cancel()
        return true
      }
    }
    if !started.isEmpty, isAnyFailureUnhandled() { return false }
    endAll(decide)
    let isUnhandled = isAnyFailureUnhandled()
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

  /// Returns whether there is a failure that no pebble has handled or can still handle. If the
  /// result is `false`, all `failures` have been moved to `earlierFailures`.
  private mutating func isAnyFailureUnhandled() -> Bool {
    if isAnyEarlierFailureUnhandled() { return true }
    let newFailures = failures
    failures = []
    return newFailures.contains { !earlierFailures.add($0, in: driver.state) }
  }

  private mutating func isAnyEarlierFailureUnhandled() -> Bool {
    let skipped = driver.takeSkipped()
    return earlierFailures.pebblesSkipped(skipped, in: driver.state) != nil
  }
}
