import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of events that come late: after the next attempt has begun, or after the run has given up
/// its attempts. The tests use no task, clock or lock.
@Suite struct LateHappeningTests {
  private var life = RunLife(RunLifecycle(hasTeardowns: true))
  private let calls: [AttemptCall]

  init() {
    let pond = Pond("machine")
    pond.pebble("a") {}
    let core = RunCore(pond.program(), RunClock(ManualClock()), RunOptions())
    calls = (1...2).map {
      AttemptCall(core, 0, in: ContextSlot(core, pebble: 0, attempt: $0), .none, nil)
    }
  }

  @Test mutating func whatIsAboutAnEarlierCallIsNotAboutTheNext() {
    life.attemptStarted(calls[0])
    _ = life.bodyCalled(calls[0])
    life.bodyEnded(calls[0], .failure(Breakdown()), at: 1)
    life.attemptStarted(calls[1])
    _ = life.takeActions()

    life.timePassed(calls[0], after: .seconds(1), Breakdown(), at: 2)
    life.attemptCancelled(calls[0])
    life.serviceReady(calls[0], nil, at: 3)

    #expect(answers().isEmpty)
    #expect(life.attempts[0]?.isGoingOn == true)
    #expect(life.attempts[0]?.isCancelled == false)
  }

  @Test mutating func anAttemptThatBeginsAfterTheOthersWereGivenUpIsGivenUpAtOnce() {
    life.take { $0.shutdownLimited(to: .seconds(1)) }
    life.take { $0.shutdownRequested(.shutdown, at: 5) }
    life.take { $0.timePassed(to: .max) }
    _ = life.takeActions()

    life.attemptStarted(calls[0])

    #expect(answers() == [1])
    #expect(life.attempts[0]?.wasLate == true)
  }

  /// Returns the numbers of the attempts whose ends are reported.
  private mutating func answers() -> [Int] {
    life.takeActions().compactMap { action in
      switch action {
      case .answer(let call, _), .giveUp(let call, _): call.slot.attempt
      default: nil
      }
    }
  }
}
