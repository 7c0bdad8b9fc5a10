import Synchronization
import Testing

@testable import Pebbles
import PebblesTestSupport

@Suite(.watched) struct RetryTests {
  private let pond = Pond("retried")
  private let clock = AlarmClock()

  // MARK: - Attempts

  @Test func afterTheRunWasCancelledThePolicyIsNotAsked() async throws {
    let pond = Pond("retries")
    let started = Gate()
    let asked = Logbook<String>()
    let policy = RetryPolicy.attempts(3) { error in
      asked.note("\(error)")
      return true
    }
    let load = pond.pebble("load", .retry(policy)) {
      started.open()
      try await untilCancelled()
    }
    let run = try pond.start()
    await started.passed()
    run.cancel()
    let report = try await run.report

    #expect(report.record(of: load)?.attempts.count == 1)
    #expect(asked.entries == [])
  }

  @Test func aBodyIsCalledAgainUntilItSucceeds() async throws {
    let attempts = Attempts(failing: 2)
    let cores = pond.pebble("cores", .retry(.attempts(4))) { try attempts.next() }

    let report = try await pond.run(clock: clock)

    #expect(report[cores] == 3)
    #expect(
      report.record(of: cores)?.attempts.map { $0.error as? Breakdown } == [
        Breakdown("1"), Breakdown("2"), nil,
      ])
  }

  @Test func theLastErrorDecidesOnceAllAttemptsHaveFailed() async throws {
    let attempts = Attempts(failing: .max)
    let cores = pond.pebble("cores", .retry(.attempts(4))) { try attempts.next() }

    let report = try await pond.run(clock: clock)

    #expect(report.outcome(of: cores).error as? Breakdown == Breakdown("4"))
    #expect(report.record(of: cores)?.attempts.count == 4)
    #expect(attempts.count == 4)
  }

  @Test func everyFormOfBodyIsCalledAgain() async throws {
    let (inputs, callbacks, services) = (
      Attempts(failing: 1), Attempts(failing: 1), Attempts(failing: 1)
    )
    let seed = pond.pebble("seed") { 40 }
    let sum = pond.pebble("sum", .retry(.attempts(2)), needs: seed) { try inputs.next() + $0 }
    let callback = pond.pebble("callback", .retry(.attempts(2))) { complete in
      complete((try? callbacks.next()) != nil)
    }
    let service = pond.service("service", .retry(.attempts(2)), .ending(.ignore)) { ready in
      _ = try services.next()
      ready()
    }

    let report = try await pond.run(clock: clock)

    #expect(report[sum] == 42)
    for name in [sum.name, callback.name, service.name] {
      #expect(report.word(name) == "succeeded")
      #expect(report.record(named: name)?.attempts.map { $0.error == nil } == [false, true])
    }
  }

  @Test func othersSeeOnlyTheLastAttempt() async throws {
    let attempts = Attempts(failing: 2)
    let starts = Logbook<String>()
    let cores = pond.pebble("cores", .retry(.attempts(3))) { try attempts.next() }
    let failed = pond.pebble("failed", when: cores.failed) { starts.note("failed") }
    pond.pebble("completed", when: cores.completed) { starts.note("completed") }

    let report = try await pond.run(clock: clock)

    #expect(starts.entries == ["completed"])
    #expect(
      report.outcome(of: failed).skipReason == .conditionFalse(decidedBy: "cores"))
    #expect(report.unhandledFailures.isEmpty)
  }

  @Test func everyRunCountsForItself() async throws {
    let attempts = Attempts(failing: .max)
    let cores = pond.pebble("cores", .retry(.attempts(2))) { try attempts.next() }

    for run in 1...3 {
      let report = try await pond.run(clock: clock)

      #expect(report.record(of: cores)?.attempts.count == 2)
      #expect(attempts.count == 2 * run)
    }
  }

  @Test func aPebbleThatIsNeverTriedAgainHasOneAttemptAndASkippedOneNone() async throws {
    let plain = pond.pebble("plain") { throw Breakdown() }
    let skipped = pond.pebble("skipped", .retry(.attempts(4)), when: plain.succeeded) {}

    let report = try await pond.run(clock: clock)

    #expect(report.record(of: plain)?.attempts.map { $0.error as? Breakdown } == [Breakdown()])
    #expect(report.record(of: skipped)?.attempts.isEmpty == true)
  }

  // MARK: - The filter

  @Test func anErrorThatIsNotTransientEndsTheTrying() async throws {
    let asked = Logbook<String>()
    let attempts = Attempts(failing: .max)
    let only: @Sendable (any Error) -> Bool = { error in
      asked.note("\(error)")
      return error as? Breakdown != Breakdown("3")
    }
    let cores = pond.pebble("cores", .retry(.attempts(.max, only: only))) { try attempts.next() }

    let report = try await pond.run(clock: clock)

    #expect(report.outcome(of: cores).error as? Breakdown == Breakdown("3"))
    #expect(asked.entries == ["1", "2", "3"])
  }

  @Test func theFilterIsNotAskedAboutTheLastAttempt() async throws {
    let asked = Logbook<String>()
    let attempts = Attempts(failing: .max)
    let retry = RetryPolicy.attempts(2) { error in
      asked.note("\(error)")
      return true
    }
    pond.pebble("cores", .retry(retry)) { try attempts.next() }

    _ = try await pond.run(clock: clock)

    #expect(asked.entries == ["1"])
  }

  // MARK: - Waits

  @Test func waitsAreOnTheClockOfTheRun() async throws {
    let attempts = Attempts(failing: 3)
    let retry = RetryPolicy.backoff(attempts: 4, initial: .seconds(1), jitter: .none)
    let cores = pond.pebble("cores", .retry(retry)) { try attempts.next() }

    let run = try pond.start(clock: clock)
    for seconds in [1, 2, 4] {
      await clock.asleep(1)
      clock.advance(by: .seconds(seconds))
    }
    let report = try await run.report

    #expect(clock.sleeps.entries == [.seconds(1), .seconds(2), .seconds(4)])
    #expect(
      report.record(of: cores)?.attempts.map(\.started) == [
        .zero, .seconds(1), .seconds(3), .seconds(7),
      ])
    #expect(report.record(of: cores)?.started == .zero)
    #expect(report.record(of: cores)?.finished == .seconds(7))
  }

  private static func microseconds(_ duration: Duration) -> Int {
    Int((duration / .microseconds(1)).rounded())
  }

  @Test func seededJitterGivesTheSameWaitsInEveryRun() async throws {
    let policy = RetryPolicy.backoff(
      attempts: 6, initial: .seconds(1), jitter: .full(using: SeededGenerator(seed: 42)))
    var schedule = policy.makeRetries()
    let expected = (0..<5).compactMap { _ in schedule.delay(afterFailure: Breakdown()) }
    pond.pebble("cores", .retry(policy)) { throw Breakdown() }

    for _ in 0..<2 {
      let clock = AlarmClock()
      let run = try pond.start(clock: clock)
      for delay in expected {
        await clock.asleep(1)
        clock.advance(by: delay)
      }
      let report = try await run.report

      // Runs reckon in whole nanoseconds.
      #expect(clock.sleeps.entries.map(Self.microseconds) == expected.map(Self.microseconds))
      #expect(report.record(named: "cores")?.attempts.count == 6)
    }
    #expect(Set(expected).count == 5)
  }

  @Test func aPebbleThatWaitsHoldsNobodyUp() async throws {
    let attempts = Attempts(failing: 1)
    let first = pond.pebble("first", .retry(.patient)) { try attempts.next() }
    let others = (0..<100).map { number in pond.pebble("other \(number)") {} }
    let last = pond.pebble("last", when: .all(others.map(\.succeeded))) {}

    let run = try pond.start(clock: clock)
    await clock.asleep(1)
    try await until { run.status.settled == 101 }
    clock.advance(by: .seconds(60))
    let report = try await run.report

    #expect(report.isAllSucceeded)
    #expect(report.record(of: last)?.finished == .zero)
    #expect(report.record(of: first)?.finished == .seconds(60))
  }

  // MARK: - The end of a wait

  @Test(arguments: [Stop.cancel, .caller, .shutdown])
  func cancellationEndsAWaitAtOnce(stop: Stop) async throws {
    let attempts = Attempts(failing: .max)
    let cores = pond.pebble("cores", .retry(.patient)) { try attempts.next() }
    let after = pond.pebble("after", when: cores.completed) {}

    let report = try await stop.report(of: pond, on: clock)

    #expect(report.isCancelled)
    #expect(report.outcome(of: cores).error as? Breakdown == Breakdown("1"))
    #expect(report.record(of: cores)?.attempts.count == 1)
    #expect(report.outcome(of: after).skipReason == .cancelled)
    #expect(report.makespan == .zero)
  }

  @Test func aRunThatIsCancelledDuringAnAttemptMakesNoOther() async throws {
    let started = Gate()
    let cores = pond.pebble("cores", .retry(.attempts(.max))) {
      started.open()
      try await untilCancelled()
    }

    let run = try pond.start(clock: clock)
    await started.passed()
    run.cancel()
    let report = try await run.report

    #expect(report.outcome(of: cores).error is CancellationError)
    #expect(report.record(of: cores)?.attempts.count == 1)
  }

  @Test func aCancellationErrorOfTheBodyItselfIsAnErrorLikeAnyOther() async throws {
    let attempts = Attempts(failing: 1)
    let cores = pond.pebble("cores", .retry(.attempts(2))) {
      do { return try attempts.next() } catch { throw CancellationError() }
    }

    let report = try await pond.run(clock: clock)

    #expect(report[cores] == 2)
  }

  @Test(arguments: [Duration.seconds(Int64.max), Duration(attoseconds: .max)])
  func theLongestWaitsDoNotTrap(wait: Duration) async throws {
    let retry = RetryPolicy.backoff(
      attempts: .max, initial: wait, factor: 1e308, maximum: wait, jitter: .none)
    let failed = Logbook<String>()
    pond.pebble("cores", .retry(retry)) {
      failed.note("")
      throw Breakdown()
    }

    let runs = [
      try pond.start(clock: ContinuousClock()), try pond.start(clock: SuspendingClock()),
      try pond.start(clock: clock), try pond.start(clock: clock, within: wait),
    ]
    try await until { failed.count == 4 }
    await clock.asleep(2)
    for run in runs { run.cancel() }

    for run in runs {
      #expect(try await run.report.records[0].attempts.count == 1)
    }
  }

  enum Stop {
    case cancel, caller, shutdown

    func report(of pond: Pond, on clock: AlarmClock) async throws -> Report {
      if self == .caller {
        let caller = Task { try await pond.run(clock: clock) }
        await clock.asleep(1)
        caller.cancel()
        return try await caller.value
      }
      let run = try pond.start(clock: clock)
      await clock.asleep(1)
      if self == .cancel { run.cancel() } else { try await run.shutdown() }
      return try await run.report
    }
  }
}

extension RetryPolicy {
  /// A policy that waits for a minute before the second attempt.
  fileprivate static let patient = backoff(attempts: 2, initial: .seconds(60), jitter: .none)
}
