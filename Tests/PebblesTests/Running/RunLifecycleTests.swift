import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the life cycle of a run in isolation. They use no task, clock or lock.
@Suite(.watched) struct RunLifecycleTests {
  private var life = RunLifecycle(hasTeardowns: true)
  private let end = RunEnd(time: 9, cancellation: nil)

  // MARK: - To the end of the boot

  @Test mutating func aBootThatEndsIsToldAndHasNoMoreEvents() {
    life.cameToRest()

    #expect(life.allSettled(at: 9) == [.announce(end), .tell(end)])
    #expect(life.endTold() == [.finishEvents])
    #expect(life.isOver)
  }

  @Test mutating func aStallAtRestLetsTheBootGoOn() {
    life.cameToRest()
    life.resumed()
    #expect(!life.isOver)

    life.cameToRest()
    #expect(life.allSettled(at: 9).first == .announce(end))
  }

  @Test mutating func eventsGoOnAsLongAsServicesDo() {
    life.serviceStarted()
    life.serviceStarted()
    #expect(life.serviceEnded() == [])
    life.cameToRest()

    #expect(life.allSettled(at: 9) == [.announce(end), .tell(end)])
    #expect(life.endTold() == [])
    #expect(life.serviceEnded() == [.finishEvents])
  }

  @Test mutating func aServiceThatEndsWhileTheEndIsToldDoesNotEndTheEventsBefore() {
    life.serviceStarted()
    life.cameToRest()
    _ = life.allSettled(at: 9)

    #expect(life.serviceEnded() == [])
    #expect(life.endTold() == [.finishEvents])
  }

  // MARK: - Cancelled

  @Test mutating func onlyTheFirstReasonForCancellingCounts() {
    #expect(life.cancelRequested(.requested, at: 3) == [.cancelBodies])

    #expect(life.cancelRequested(.deadlinePassed, at: 2) == [])
    #expect(life.cancellation?.reason == .requested)
    #expect(life.cancellation?.time == 3)
  }

  @Test mutating func aCancelledRunIsTornDownBeforeItsEndIsTold() {
    _ = life.cancelRequested(.requested, at: 3)
    life.cameToRest()
    let end = RunEnd(time: 9, cancellation: .requested)

    #expect(life.allSettled(at: 9) == [.announce(end)])
    #expect(life.endTold() == [.tearDown(.requested, nil)])
    #expect(life.tornDown() == [.finishEvents, .tell(end), .tellShutdown])
  }

  @Test mutating func aCancelledRunWithNothingToTearDownIsToldAtOnce() {
    life = RunLifecycle(hasTeardowns: false)
    _ = life.cancelRequested(.requested, at: 3)
    life.cameToRest()
    let end = RunEnd(time: 9, cancellation: .requested)

    #expect(life.allSettled(at: 9) == [.announce(end), .tell(end)])
    #expect(life.endTold() == [.finishEvents, .tellShutdown])
    #expect(life.shutdownRequested(.shutdown, at: 10) == [])
  }

  @Test mutating func aRunDoesNotEndBeforeItWasCancelled() {
    _ = life.cancelRequested(.deadlinePassed, at: 12)
    life.cameToRest()

    let end = RunEnd(time: 12, cancellation: .deadlinePassed)
    #expect(life.allSettled(at: 9).first == .announce(end))
  }

  @Test mutating func cancellingARunThatIsOverDoesNothing() {
    life.cameToRest()
    _ = life.allSettled(at: 9)

    #expect(life.cancelRequested(.requested, at: 10) == [])
    #expect(life.cancellation == nil)
  }

  @Test mutating func aRunCancelledWhileItsLastPebbleSettlesIsCancelled() {
    life.cameToRest()
    #expect(life.cancelRequested(.requested, at: 8) == [.cancelBodies])

    #expect(life.allSettled(at: 9).count == 1)
    #expect(life.endTold() == [.tearDown(.requested, nil)])
  }

  // MARK: - Deadlines

  @Test mutating func theEndIsToldAtTheDeadlineThoughTheTeardownGoesOn() {
    life = RunLifecycle(hasTeardowns: true, deadline: 20)
    _ = life.cancelRequested(.requested, at: 3)
    life.cameToRest()
    let end = RunEnd(time: 9, cancellation: .requested)

    #expect(life.allSettled(at: 9) == [.announce(end)])
    #expect(life.endTold() == [.tearDown(.requested, nil), .wake(at: 20)])
    #expect(life.timePassed(to: 20) == [.tell(end)])
    #expect(life.tornDown() == [.finishEvents, .tellShutdown])
  }

  @Test mutating func aRunCancelledByItsDeadlineIsToldBeforeItIsTornDown() {
    life = RunLifecycle(hasTeardowns: true, deadline: 20)
    _ = life.cancelRequested(.deadlinePassed, at: 20)
    life.cameToRest()
    let end = RunEnd(time: 20, cancellation: .deadlinePassed)

    #expect(life.allSettled(at: 20) == [.announce(end), .tell(end)])
    #expect(life.endTold() == [.tearDown(.deadlinePassed, nil)])
    #expect(life.tornDown() == [.finishEvents, .tellShutdown])
  }

  @Test mutating func bodiesAreGivenUpWhenHalfTheTimeOfAShutdownIsOver() {
    life.shutdownLimited(to: .nanoseconds(6))

    #expect(
      life.shutdownRequested(.shutdown, at: 3) == [.wake(at: 6), .cancelBodies])
    #expect(life.timePassed(to: 5) == [])
    #expect(life.timePassed(to: 6) == [.giveUpBodies(.nanoseconds(3))])
  }

  @Test mutating func theyHaveAllOfItIfNothingIsToBeTornDown() {
    life = RunLifecycle(hasTeardowns: false)
    life.shutdownLimited(to: .nanoseconds(6))

    #expect(life.shutdownRequested(.shutdown, at: 3) == [.wake(at: 9), .cancelBodies])
    #expect(life.timePassed(to: 8) == [])
    #expect(life.timePassed(to: 9) == [.giveUpBodies(.nanoseconds(6))])
  }

  // MARK: - Shut down

  @Test mutating func aRunThatIsUpIsTornDownWhenAskedFor() {
    comeUp()

    #expect(life.shutdownRequested(.shutdown, at: 10) == [.tearDown(.shutdown, nil)])
    #expect(life.tornDown() == [.finishEvents, .tellShutdown])
  }

  @Test mutating func askingAgainTearsNothingDownTwice() {
    comeUp()
    _ = life.shutdownRequested(.shutdown, at: 10)

    #expect(life.shutdownRequested(.signal(.terminate), at: 11) == [])
    _ = life.tornDown()
    #expect(life.shutdownRequested(.shutdown, at: 12) == [])
  }

  @Test mutating func aShutdownDuringTheBootCancelsIt() {
    #expect(life.shutdownRequested(.signal(.terminate), at: 3) == [.cancelBodies])
    life.cameToRest()

    let end = RunEnd(time: 9, cancellation: .signal(.terminate))
    #expect(life.allSettled(at: 9) == [.announce(end)])
    #expect(life.endTold() == [.tearDown(.signal(.terminate), nil)])
  }

  @Test mutating func aShutdownDuringTheBootIsReportedEvenWithNothingToTearDown() {
    life = RunLifecycle(hasTeardowns: false)
    _ = life.shutdownRequested(.shutdown, at: 3)
    life.cameToRest()

    #expect(life.allSettled(at: 9).count == 1)
    #expect(life.endTold() == [.tearDown(.shutdown, nil)])
    #expect(life.tornDown().contains(.tellShutdown))
  }

  @Test mutating func theShortestLimitCountsThatComesBeforeTheTeardown() {
    life.shutdownLimited(to: .seconds(9))
    life.shutdownLimited(to: .seconds(5))
    life.shutdownLimited(to: .seconds(7))
    comeUp()

    let deadline = RunLifecycle.ShutdownDeadline(
      time: 5_000_000_010, limit: .seconds(5), hasTeardown: true)
    #expect(life.shutdownRequested(.shutdown, at: 10) == [.tearDown(.shutdown, deadline)])
  }

  @Test mutating func theEndOfAServiceThatIsStoppedEndsNoEvents() {
    life.serviceStarted()
    comeUp()
    _ = life.shutdownRequested(.shutdown, at: 10)

    #expect(life.serviceEnded() == [])
    #expect(life.tornDown() == [.finishEvents, .tellShutdown])
  }

  @Test mutating func aShutdownAskedForWhileTheEndIsToldFollowsIt() {
    life.cameToRest()
    #expect(life.allSettled(at: 9) == [.announce(end), .tell(end)])

    #expect(life.shutdownRequested(.shutdown, at: 10) == [])
    #expect(life.endTold() == [.tearDown(.shutdown, nil)])
    #expect(life.tornDown() == [.finishEvents, .tellShutdown])
  }

  @Test mutating func ofTwoShutdownsTheReasonOfTheFirstCounts() {
    _ = life.shutdownRequested(.signal(.terminate), at: 3)
    _ = life.shutdownRequested(.shutdown, at: 4)
    life.cameToRest()
    _ = life.allSettled(at: 9)

    #expect(life.endTold() == [.tearDown(.signal(.terminate), nil)])
  }

  @Test mutating func aShutdownThatIsToEndNoEarlierChangesNothing() {
    life.shutdownLimited(to: .nanoseconds(10))
    #expect(life.shutdownRequested(.shutdown, at: 0) == [.wake(at: 5), .cancelBodies])

    life.shutdownLimited(to: .nanoseconds(6))

    #expect(life.shutdownRequested(.shutdown, at: 4) == [])
    #expect(life.shutdownDeadline?.limit == .nanoseconds(10))
  }

  @Test mutating func aLimitBeyondAllTimeIsNone() {
    life.shutdownLimited(to: .seconds(Int64.max))

    #expect(life.shutdownRequested(.shutdown, at: 1) == [.cancelBodies])
    #expect(life.shutdownDeadline == nil)
  }

  private mutating func comeUp() {
    life.cameToRest()
    _ = life.allSettled(at: 9)
    _ = life.endTold()
  }

  // MARK: - What cannot be

  @Test func endingTwiceTraps() async {
    await #expect(processExitsWith: .failure) {
      var life = RunLifecycle(hasTeardowns: false)
      life.cameToRest()
      _ = life.allSettled(at: 9)
      _ = life.allSettled(at: 9)
    }
  }

  @Test func goingOnFromNoRestTraps() async {
    await #expect(processExitsWith: .failure) {
      var life = RunLifecycle(hasTeardowns: false)
      life.resumed()
    }
  }

  @Test func tearingDownWhatWasNotAskedForTraps() async {
    await #expect(processExitsWith: .failure) {
      var life = RunLifecycle(hasTeardowns: false)
      _ = life.tornDown()
    }
  }
}
