import Pebbles
import PebblesTestSupport
import PebblesTesting
import Testing

/// Tests of the clock that tests advance by hand.
@Suite(.watched) struct TestClockTests {
  private let clock = TestClock()

  @Test func itStandsStillUntilAdvanced() {
    #expect(clock.now.offset == .zero)

    clock.advance(by: .seconds(3))
    clock.advance(to: clock.now.advanced(by: .seconds(2)))

    #expect(clock.now.offset == .seconds(5))
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .nanoseconds(Int64.min)])
  func itNeverGoesBack(_ duration: Duration) {
    clock.advance(by: .seconds(1))

    clock.advance(by: duration)
    clock.advance(to: TestClock().now)

    #expect(clock.now.offset == .seconds(1))
  }

  @Test func beyondTheEndOfAllTimesItStays() async throws {
    let long = Duration(attoseconds: .max)

    clock.advance(by: long)
    clock.advance(by: long)
    try await clock.sleep(for: long)

    #expect(clock.now.offset == long)
    #expect(clock.now.advanced(by: .seconds(1)) == clock.now)
    let first = TestClock().now.advanced(by: Duration(attoseconds: .min))
    #expect(first.advanced(by: .seconds(-1)) == first)
    #expect(first.duration(to: clock.now) == long)
    #expect(clock.now.duration(to: first) == Duration(attoseconds: .min))
  }

  @Test func sleepersWakeInTheOrderOfTheirDeadlinesAndOfFallingAsleep() async throws {
    let order = Logbook<Int>()
    let seconds = [3, 1, 2, 1, 3, 2]

    try await explore(schedules: .replay(""), clock: clock) { clock in
      await withTaskGroup { group in
        for (number, time) in seconds.enumerated() {
          group.addTask {
            try? await clock.sleep(for: .seconds(time))
            order.note(number)
          }
        }
      }
    }

    #expect(order.entries == [1, 3, 2, 5, 0, 4])
  }

  @Test func theNextSleeperIsWokenAlone() async throws {
    let (first, second) = (sleeper(.seconds(1)), sleeper(.seconds(2)))
    await clock.asleep(2)
    #expect(clock.sleepers.map(\.offset) == [.seconds(1), .seconds(2)])

    #expect(clock.advanceToNextSleeper())
    try await first.value
    #expect(clock.now.offset == .seconds(1))
    #expect(clock.sleepers.count == 1)

    #expect(clock.advanceToNextSleeper())
    try await second.value
    #expect(!clock.advanceToNextSleeper())
    #expect(clock.now.offset == .seconds(2))
  }

  @Test func advancingWakesThoseWhoseTimeHasCome() async throws {
    let sleepers = [1, 2, 3].map { sleeper(.seconds($0)) }
    await clock.asleep(3)

    clock.advance(by: .seconds(2))

    for sleeper in sleepers.prefix(2) { try await sleeper.value }
    #expect(clock.sleepers.map(\.offset) == [.seconds(3)])
    sleepers[2].cancel()
  }

  @Test func aDeadlineThatIsOverDoesNotSuspend() async throws {
    try await clock.sleep(for: .zero)
    try await clock.sleep(for: .seconds(-5))

    #expect(clock.sleepers.isEmpty)
  }

  @Test func aCancelledSleeperWakesAtOnce() async throws {
    let sleeper = sleeper(.seconds(1))
    await clock.asleep(1)

    sleeper.cancel()

    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleepers.isEmpty)
    #expect(!clock.advanceToNextSleeper())
    #expect(clock.now.offset == .zero)
  }

  @Test func oneWhoIsCancelledBeforehandDoesNotFallAsleep() async {
    let clock = clock
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }

    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func waitingForSleepersEndsWhenCancelled() async {
    let clock = clock
    let task = Task { await clock.asleep(7) }

    task.cancel()

    await task.value
    await clock.asleep(0)
    await clock.asleep(-1)
    #expect(clock.watcherCount == 0)
  }

  @Test func aPondRunsOnIt() async throws {
    let clock = clock
    let pond = Pond("boot")
    let slow = pond.pebble("slow", .timeout(.seconds(5))) {
      try await clock.sleep(for: .seconds(9))
    }

    let run = try pond.start(clock: clock)
    await clock.asleep(2)
    clock.advance(by: .seconds(5))
    let report = try await run.report

    #expect(report.record(of: slow)?.finished == .seconds(5))
    #expect(report.failed(slow))
  }

  private func sleeper(_ duration: Duration) -> Task<Void, any Error> {
    let clock = clock
    return Task { try await clock.sleep(for: duration) }
  }
}
