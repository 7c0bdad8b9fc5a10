import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the times at which runs wake up.
@Suite(.watched) struct RunClockTests {
  private let alarm = AlarmClock()

  @Test func whoBeginsToSleepTooLateDoesNotSleep() async throws {
    let clock = RunClock(alarm)
    // What was reckoned before that would be a second of sleep.
    alarm.advance(by: .seconds(1))

    try await clock.sleep(until: 1_000_000_000)

    #expect(clock.now() == 1_000_000_000)
  }

  @Test func oneThatIsStartedAgainSleepsAsLong() async throws {
    let clock = RunClock(alarm)
    alarm.advance(by: .seconds(3))
    let again = clock.restarted(at: 2_000_000_000)
    #expect(again.now() == 1_000_000_000)

    let sleeper = Task { try await again.sleep(until: 2_000_000_000) }
    await alarm.asleep(1)
    alarm.advance(by: .seconds(1))
    try await sleeper.value

    #expect(again.now() == 2_000_000_000)
    #expect(alarm.sleeps.entries == [.seconds(1)])
  }

  @Test func foreverIsNoOverflow() async throws {
    for clock in [RunClock(alarm), RunClock(ContinuousClock())] {
      let sleeper = Task { try await clock.sleep(until: .max) }
      sleeper.cancel()
      await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
  }
}
