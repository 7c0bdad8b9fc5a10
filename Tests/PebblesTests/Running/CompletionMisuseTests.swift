import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests of misused completions of pebbles that can time out or be retried. The completions of
/// other pebbles are tested in `CompletionTests`.
@Suite(.watched) struct CompletionMisuseTests {
  private let pond = Pond("misused")
  private let clock = AlarmClock()
  private let limit = Duration.seconds(5)
  private let kept = Logbook<Completion>()

  // MARK: - Too often

  @Test func callsTooManyInEveryAttemptAreCountedTogether() async throws {
    let attempts = Attempts(failing: 2)
    let callback = pond.pebble("callback", .retry(.attempts(3))) { complete in
      complete((try? attempts.next()) != nil)
      complete(true)
      complete.fail(Breakdown())
    }

    let report = try await pond.run(clock: clock)

    let record = try #require(report.record(of: callback))
    #expect(record.outcome.isSucceeded)
    #expect(
      record.attempts.map { $0.error as? CompletionError } == [
        .reportedFailure, .reportedFailure, nil,
      ])
    #expect(record.ignoredCompletions == 6)
  }

  @Test func aCompletionOfAnEarlierAttemptDecidesNothing() async throws {
    let kept = kept
    let callback = pond.pebble("callback", .retry(.attempts(2))) { complete in
      kept.note(complete)
      if kept.count == 1 { return complete(false) }
      kept.entries[0].succeed()
      complete.fail(Breakdown("second"))
    }

    let report = try await pond.run(clock: clock)
    for complete in kept.entries { complete.succeed() }

    let record = try #require(report.record(of: callback))
    #expect(record.outcome.error as? Breakdown == Breakdown("second"))
    #expect(record.ignoredCompletions == 3)
  }

  @Test(arguments: [PebbleTrait.traits(), .timeout(.seconds(5))])
  func callsFromManyThreadsDecideOnce(timeout: PebbleTrait) async throws {
    for _ in 0..<20 {
      let pond = Pond("misused")
      let callback = pond.pebble("callback", timeout, .retry(.attempts(2))) { complete in
        for number in 0..<16 {
          Task { number.isMultiple(of: 2) ? complete.succeed() : complete(true) }
        }
      }

      let report = try await pond.run(clock: clock)

      let record = try #require(report.record(of: callback))
      #expect(record.outcome.isSucceeded)
      #expect(record.attempts.count == 1)
      try await until { record.ignoredCompletions == 15 }
    }
  }

  // MARK: - Too late

  @Test func aCallAfterTheTimeoutIsIgnoredAndCounted() async throws {
    let kept = kept
    let callback = pond.pebble("callback", .timeout(limit)) { complete in kept.note(complete) }

    let report = try await reportAfterTimeout()
    kept.entries[0].succeed()
    kept.entries[0](false)

    let record = try #require(report.record(of: callback))
    #expect(record.outcome.error is PebbleTimeout)
    #expect(record.ignoredCompletions == 2)
    try await until { !record.isStillRunning }
  }

  @Test func aCallAfterTheTimeoutByABodyThatGoesOnIsCountedToo() async throws {
    let kept = kept
    let gate = Gate()
    let callback = pond.pebble("callback", .timeout(limit)) { complete in
      kept.note(complete)
      await gate.passed()
      complete(true)
    }

    let report = try await reportAfterTimeout()
    let record = try #require(report.record(of: callback))
    #expect(record.isStillRunning)
    #expect(record.ignoredCompletions == 0)
    gate.open()
    try await until { !record.isStillRunning }

    #expect(record.outcome.error is PebbleTimeout)
    #expect(record.ignoredCompletions == 1)
  }

  @Test func aCallAfterTheTimeoutOfItsAttemptDoesNotDecideTheNext() async throws {
    let kept = kept
    let callback = pond.pebble("callback", .timeout(limit), .retry(.attempts(2))) { complete in
      kept.note(complete)
    }

    let run = try pond.start(clock: clock)
    try await until { kept.count == 1 }
    await clock.asleep(1)
    clock.advance(by: limit)
    try await until { kept.count == 2 }
    kept.entries[0].fail(Breakdown("of the first attempt"))
    kept.entries[1].succeed()
    let report = try await run.report

    let record = try #require(report.record(of: callback))
    #expect(record.attempts.map { $0.error is PebbleTimeout } == [true, false])
    #expect(record.outcome.isSucceeded)
    #expect(record.ignoredCompletions == 1)
  }

  @Test func callsThatRaceWithTheTimeoutDecideOnce() async throws {
    for _ in 0..<100 {
      let (clock, pond, kept) = (AlarmClock(), Pond("misused"), Logbook<Completion>())
      let callback = pond.pebble("callback", .timeout(limit)) { complete in kept.note(complete) }
      let after = pond.pebble("after", when: callback.settled) { 1 }

      let run = try pond.start(clock: clock)
      try await until { kept.count == 1 }
      await clock.asleep(1)
      async let call: Void = kept.entries[0].succeed()
      clock.advance(by: limit)
      await call
      let report = try await run.report

      let outcome = report.outcome(of: callback)
      #expect(outcome.isSucceeded || outcome.error is PebbleTimeout)
      #expect(report[after] == 1)
    }
  }

  // MARK: - Never

  @Test func aCompletionThatIsNeverCalledEndsWithTheTimeout() async throws {
    let kept = kept
    let callback = pond.pebble("callback", .timeout(limit)) { complete in kept.note(complete) }

    let report = try await reportAfterTimeout()

    let record = try #require(report.record(of: callback))
    #expect(record.outcome.error is PebbleTimeout)
    #expect(record.ignoredCompletions == 0)
    // The body had returned: nothing of it goes on but the callback that never comes.
    try await until { !record.isStillRunning }
  }

  @Test func aCompletionThatIsDroppedIsTriedAgain() async throws {
    let attempts = Attempts(failing: 1)
    let callback = pond.pebble("callback", .timeout(limit), .retry(.attempts(2))) { complete in
      if (try? attempts.next()) != nil { complete(true) }
    }

    let report = try await pond.run(clock: clock)

    let record = try #require(report.record(of: callback))
    #expect(record.outcome.isSucceeded)
    #expect(record.attempts.map { $0.error as? CompletionError } == [.abandoned, nil])
    #expect(record.ignoredCompletions == 0)
  }

  @Test func aCompletionThatIsDroppedAfterTheTimeoutChangesNothing() async throws {
    let kept = Mutex<Completion?>(nil)
    let started = Gate()
    let callback = pond.pebble("callback", .timeout(limit)) { complete in
      kept.withLock { $0 = complete }
      started.open()
    }

    let run = try pond.start(clock: clock)
    await started.passed()
    await clock.asleep(1)
    clock.advance(by: limit)
    let report = try await run.report
    kept.withLock { $0 = nil }

    let record = try #require(report.record(of: callback))
    #expect(record.outcome.error is PebbleTimeout)
    #expect(record.ignoredCompletions == 0)
    try await until { !record.isStillRunning }
  }

  @Test func aServiceThatSaysItIsReadyOftenIsReadyOnce() async throws {
    let service = pond.service("service", .ending(.ignore)) { ready in
      await withTaskGroup { group in
        for _ in 0..<16 { group.addTask { ready() } }
      }
    }

    let report = try await pond.run(clock: clock)

    #expect(report.outcome(of: service).isSucceeded)
  }

  /// Returns the report of a run whose only pebble has timed out. Its body keeps the completion.
  private func reportAfterTimeout() async throws -> Report {
    let run = try pond.start(clock: clock)
    try await until { kept.count == 1 }
    await clock.asleep(1)
    clock.advance(by: limit)
    return try await run.report
  }
}
