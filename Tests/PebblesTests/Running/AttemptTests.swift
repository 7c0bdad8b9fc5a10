import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of a single attempt, with events that are late or have no effect.
@Suite struct AttemptTests {
  private var attempt: Attempt

  init() {
    let pond = Pond("machine")
    pond.pebble("a") {}
    let core = RunCore(pond.program(), RunClock(ManualClock()), RunOptions())
    let options = PebbleOptions([], service: { _, _ in })
    let slot = ContextSlot(core, pebble: 0, attempt: 1)
    attempt = Attempt(AttemptCall(core, 0, in: slot, options, nil))
    _ = attempt.bodyCalled(isAlwaysCalled: false)
  }

  /// Checks that a timer has no effect if it fires after the service has become ready, while the
  /// timer is being cancelled.
  @Test mutating func aTimeThatIsOverAfterItsServiceIsReadyIsNotTold() {
    _ = attempt.serviceReady(nil)

    let isTold = attempt.timePassed(limit: .seconds(1), at: 5)

    #expect(!isTold && !attempt.wasLate)
    #expect(attempt.isReady)
  }

  @Test mutating func aTimeThatIsOverIsToldOnce() {
    let first = attempt.timePassed(limit: .nanoseconds(1), at: 5)
    let second = attempt.timePassed(limit: .nanoseconds(1), at: 9)

    #expect(first && !second)
    #expect(attempt.lastMoment == 6)
  }

  @Test(arguments: [false, true])
  mutating func aFailureIsTheEndUnlessItLeavesRunsBehind(hasRuns: Bool) {
    let (isTold, rest) = attempt.bodyEnded(.failure(Breakdown()), hasRuns: hasRuns, at: 5)

    #expect(isTold)
    #expect(attempt.isOver == !hasRuns)
    switch rest {
    case .runs: #expect(hasRuns)
    case .nothing: #expect(!hasRuns)
    case .output, .service: Issue.record("\(rest)")
    }
  }
}
