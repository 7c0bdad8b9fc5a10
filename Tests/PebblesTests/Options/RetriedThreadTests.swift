import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests of the threads of blocking bodies that are called several times.
@Suite(.watched) struct RetriedThreadTests {
  private let threads = BlockingThreads(limit: 1, most: 1)

  private var counts: [Int] { threads.withAdmission { [$0.heldCount, $0.abandonedCount] } }

  @Test func aLeaseThatEndsIsCountedAsThatOfABodyThatHasReturned() async throws {
    let lease = try await threads.lease(for: RunIdentifier(), priority: 0)
    #expect(counts == [1, 0])

    lease?.end()

    #expect(counts == [0, 0])
  }

  @Test func everyAttemptHasAThreadOfItsOwn() async throws {
    let pond = Pond("boot")
    let attempts = Attempts(failing: 2)
    let held = Logbook<[Int]>()
    pond.pebble("retried", .blocking, .retry(.attempts(3))) { [threads] in
      held.note(threads.withAdmission { [$0.heldCount, $0.abandonedCount] })
      _ = try attempts.next()
    }

    let report = try await BlockingThreads.$shared.withValue(threads) { try await pond.run() }

    #expect(report.isAllSucceeded)
    #expect(held.entries == [[1, 0], [1, 0], [1, 0]])
    #expect(counts == [0, 0])
  }

  /// Tests a retry that obtains its thread after the deadline of the run, but before the timer of
  /// the deadline fires.
  @Test func aThreadThatComesAfterTheDeadlineGoesBack() async throws {
    let pond = Pond("boot")
    let other = RunIdentifier()
    let clock = DeafClock()
    let retried = pond.pebble("retried", .blocking, .retry(.attempts(2))) { [threads] in
      // Has the thread next.
      threads.changeAdmission { $0.add(run: other, priority: 9, Promise()).replies }
      throw Breakdown()
    }

    let report = try await BlockingThreads.$shared.withValue(threads) {
      let run = try pond.start(clock: clock, within: .seconds(5))
      try await until { run.core.storage.notes(at: 0) != nil && threads.waitingCount == 1 }
      clock.time.advance(by: .seconds(5))
      threads.changeAdmission { $0.returned(by: other) }
      return try await run.report
    }

    #expect(report.outcome(of: retried).error is Breakdown)
    #expect(report.record(of: retried)?.attempts.count == 1)
    #expect(counts == [0, 0])
  }

  @Test func noThreadIsLostIfTheDeadlinePassesWhileThatIsLookedAt() async throws {
    let pond = Pond("boot")
    let (other, calls, clock) = (RunIdentifier(), Attempts(failing: 2), LeapingClock())
    let retried = pond.pebble("retried", .blocking, .retry(.attempts(2))) { [threads] in
      // Has the thread next.
      if calls.count == 0 {
        threads.changeAdmission { $0.add(run: other, priority: 9, Promise()).replies }
      }
      _ = try calls.next()
    }

    let report = try await BlockingThreads.$shared.withValue(threads) {
      let run = try pond.start(clock: clock, within: .seconds(5))
      try await until { run.core.storage.notes(at: 0) != nil && threads.waitingCount == 1 }
      clock.leapAfterNextReading(by: .seconds(5))
      threads.changeAdmission { $0.returned(by: other) }
      return try await run.report
    }

    #expect(report.failed(retried))
    #expect(counts == [0, 0])
  }
}

/// A clock that never wakes a task. A test can make it leap forward after its next reading.
private final class LeapingClock: Clock {
  private let time = ManualClock()
  private let leap = Mutex<Duration?>(nil)

  func leapAfterNextReading(by duration: Duration) { leap.withLock { $0 = duration } }

  var now: ManualClock.Instant {
    defer { if let duration = leap.withLock({ $0.take() }) { time.advance(by: duration) } }
    return time.now
  }

  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    try await untilCancelled()
  }
}

/// A clock that never wakes a task.
private struct DeafClock: Clock {
  let time = ManualClock()

  var now: ManualClock.Instant { time.now }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    try await untilCancelled()
  }
}
