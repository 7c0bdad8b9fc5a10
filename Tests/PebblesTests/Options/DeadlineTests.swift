import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct DeadlineTests {
  private let pond = Pond("limited")
  private let clock = AlarmClock()
  private let deadline = Duration.seconds(5)

  @Test func aBodyThatIgnoresCancellationDoesNotHoldTheRun() async throws {
    let (started, gate) = (Gate(), Gate())
    let cores = pond.pebble("cores") {
      started.open()
      await gate.passed()
      return 83
    }
    let after = pond.pebble("after", when: cores.completed) {}

    let run = try pond.start(clock: clock, within: deadline)
    await started.passed()
    await clock.asleep(1)
    clock.advance(by: deadline)
    let report = try await run.report

    let expected = PebbleTimeout(pebble: "cores", limit: deadline, .run)
    let record = try #require(report.record(of: cores))
    #expect(record.outcome.error as? PebbleTimeout == expected)
    #expect(
      record.explanation
        == "cores failed: it had not ended within the 5.0 seconds that the run was given")
    #expect(record.isStillRunning)
    #expect(report.outcome(of: after).skipReason == .cancelled)
    #expect(report.cancellation == .deadlinePassed)
    #expect(report.makespan == deadline)

    gate.open()
    try await until { !record.isStillRunning }
    #expect(report[cores] == nil)
  }

  @Test func whatIsSkippedForItIsSkippedWhenItWasHoweverLateThatIsSeen() async throws {
    let (started, gate) = (Gate(), Gate())
    let cores = pond.pebble("cores") {
      started.open()
      await gate.passed()
    }
    let after = pond.pebble("after", when: cores.settled) {}

    let run = try pond.start(clock: clock, within: deadline)
    await started.passed()
    await clock.asleep(1)
    clock.advance(by: deadline * 3)
    let report = try await run.report
    gate.open()

    #expect(report.record(of: after)?.finished == deadline)
  }

  /// Checks the deadline of a run that waits for a service whose second call is never ready.
  @Test func waitingForAServiceThatIsDownEndsAtTheDeadline() async throws {
    let crew = ServiceCrew()
    let database = pond.service("database", .ending(.restart(.attempts(3)))) {
      [crew] ready in try await crew.run("database", ready)
    }
    let fails = Gate()
    let reader = pond.pebble("reader", .retry(.attempts(2)), needs: database) { _ in
      await fails.passed()
      throw Breakdown()
    }
    crew.holdStart("database", 2)
    let run = try pond.start(clock: clock, within: deadline)
    try await until { run.core.storage.state.status(of: 1) == .running }
    crew.crash("database")
    try await until { crew.entries.contains("database 2") }
    fails.open()
    try await until { run.core.storage.notes(at: 1)?.attempts.count == 1 }
    for _ in 0..<200 { await Task.yield() }

    clock.advance(by: deadline)
    let report = try await run.report

    #expect(report.cancellation == .deadlinePassed)
    #expect(report.outcome(of: reader).error is Breakdown)
    try await run.shutdown()
  }

  /// Tests a deadline that passes before the run begins to wait for a service. The failure policy,
  /// which is called earlier, uses up all the time that is left.
  @Test func aDeadlineThatPassesBeforeThatWaitCancelsTheRun() async throws {
    let crew = ServiceCrew()
    let pond = Pond(
      "limited",
      onFailure: .custom { [clock, deadline] _ in
        clock.advance(by: deadline)
        return .goOn
      })
    let database = pond.service("database", .ending(.restart(.attempts(3)))) {
      [crew] ready in try await crew.run("database", ready)
    }
    let fails = Gate()
    let trigger = pond.pebble("trigger") {
      await fails.passed()
      throw Breakdown()
    }
    let reader = pond.pebble("reader", needs: database, when: trigger.failed) { $0 }
    crew.holdStart("database", 2)
    let run = try pond.start(clock: clock, within: deadline)
    try await until { crew.isUp("database", 1) }
    crew.crash("database")
    try await until { crew.entries.contains("database 2") }
    fails.open()
    let report = try await run.report

    #expect(report.cancellation == .deadlinePassed)
    #expect(report.outcome(of: reader).skipReason == .cancelled)
    try await run.shutdown()
  }

  @Test func everySuspendedBodySettlesOnTime() async throws {
    let gate = Gate()
    for number in 0..<50 { pond.pebble("\(number)") { await gate.passed() } }

    let run = try pond.start(clock: clock, within: deadline)
    await clock.asleep(50)
    clock.advance(by: deadline)
    let report = try await run.report
    gate.open()

    #expect(report.records.allSatisfy { $0.outcome.error is PebbleTimeout })
    #expect(report.records.allSatisfy { $0.finished == deadline })
  }

  @Test func aRunThatEndsInTimeIsNotCancelled() async throws {
    let cores = pond.pebble("cores") { 83 }

    let report = try await pond.run(clock: clock, within: deadline)

    #expect(report[cores] == 83)
    #expect(!report.isCancelled)
  }

  @Test func theShorterOfTimeoutAndDeadlineCounts() async throws {
    let gate = Gate()
    let quick = pond.pebble("quick", .timeout(.seconds(2))) { await gate.passed() }
    let slow = pond.pebble("slow", .timeout(.seconds(20))) { await gate.passed() }

    let run = try pond.start(clock: clock, within: deadline)
    await clock.asleep(2)
    clock.advance(by: .seconds(2))
    try await until { run.status.settled == 1 }
    clock.advance(by: .seconds(3))
    let report = try await run.report
    gate.open()

    let timeouts = [quick, slow].map { report.outcome(of: $0).error as? PebbleTimeout }
    #expect(timeouts.map { $0?.isLimitOfRun } == [false, true])
    #expect(timeouts.map { $0?.limit } == [.seconds(2), deadline])
    #expect(report.record(of: quick)?.finished == .seconds(2))
  }

  @Test func ofATimeoutAndADeadlineThatAreTheSameTheTimeoutCounts() async throws {
    let gate = Gate()
    let load = pond.pebble("load", .timeout(deadline)) { await gate.passed() }

    let run = try pond.start(clock: clock, within: deadline)
    await clock.asleep(1)
    clock.advance(by: deadline)
    let report = try await run.report
    gate.open()

    let timeout = try #require(report.outcome(of: load).error as? PebbleTimeout)
    #expect(timeout == PebbleTimeout(pebble: "load", limit: deadline, .attempt))
  }

  // MARK: - Nothing starts after it

  @Test func nothingStartsOnceABodyHasEndedTooLate() async throws {
    for _ in 0..<50 {
      let clock = AlarmClock()
      let pond = Pond("limited")
      let starts = Logbook<Duration>()
      let slow = pond.pebble("slow") { clock.advance(by: deadline) }
      for number in 0..<20 {
        pond.pebble("beside \(number)") { starts.note(clock.now.offset) }
        pond.pebble("after \(number)", when: slow.settled) { starts.note(clock.now.offset) }
      }

      let report = try await pond.run(clock: clock, within: deadline)

      #expect(report.cancellation == .deadlinePassed)
      #expect(report.records.allSatisfy { $0.started ?? .zero < deadline })
      for record in report.records where record.name.hasPrefix("after") {
        #expect(record.outcome.skipReason == .cancelled)
      }
    }
  }

  @Test func nothingStartsWhenTheGrantComesTooLate() async throws {
    let grant = ManualGrant()
    let starts = Logbook<String>()
    let first = pond.pebble("first") { starts.note("first") }
    pond.pebble("second", when: first.settled) { starts.note("second") }

    let run = try pond.start(clock: clock, within: deadline, holding: grant)
    await grant.wasAsked()
    clock.advance(by: deadline)
    grant.answer(1)
    let report = try await run.report

    #expect(starts.entries.isEmpty)
    #expect(report.cancellation == .deadlinePassed)
    #expect(report.records.allSatisfy { $0.outcome.skipReason == .cancelled })
  }

  @Test(arguments: [1, nil])
  func nothingStartsWhenTheBeginningTookTooLong(maxConcurrent: Int?) async throws {
    let clock = clock
    let pond = Pond("limited", maxConcurrent: maxConcurrent)
    let starts = Logbook<String>()
    let isEnabled: @Sendable () -> Bool = {
      clock.advance(by: .seconds(5))
      return true
    }
    pond.pebble("slow to decide", .enabled(isEnabled)) { starts.note("slow") }
    pond.pebble("beside", .timeout(.seconds(1)), .retry(.attempts(4))) { starts.note("beside") }

    let report = try await pond.run(clock: clock, within: deadline)

    #expect(starts.entries.isEmpty)
    #expect(report.records.allSatisfy { $0.outcome.skipReason == .cancelled })
  }

  @Test func noAttemptStartsAfterIt() async throws {
    let clock = clock
    let attempts = Attempts(failing: .max)
    let cores = pond.pebble("cores", .retry(.attempts(.max))) {
      if attempts.count < 4 { clock.advance(by: .seconds(1)) }
      _ = try attempts.next()
    }

    let run = try pond.start(clock: clock, within: deadline)
    try await until { attempts.count > 100 }
    clock.advance(by: .seconds(1))
    let report = try await run.report

    let record = try #require(report.record(of: cores))
    #expect(record.attempts.allSatisfy { $0.started < deadline })
    #expect(record.outcome.isFailed)
    #expect(report.cancellation == .deadlinePassed)
  }

  @Test func itEndsTheWaitBetweenTwoAttempts() async throws {
    let attempts = Attempts(failing: .max)
    let retry = RetryPolicy.backoff(attempts: 2, initial: .seconds(60), jitter: .none)
    let cores = pond.pebble("cores", .retry(retry)) { try attempts.next() }

    let run = try pond.start(clock: clock, within: deadline, eventHistory: 10)
    for await event in run.events where event.kind == .attemptFailed { break }
    await clock.asleep(1)
    clock.advance(by: deadline)
    try await until { run.status.settled == 1 }
    let report = try await run.report

    #expect(report.outcome(of: cores).error as? Breakdown == Breakdown("1"))
    #expect(report.record(of: cores)?.finished == deadline)
    #expect(report.cancellation == .deadlinePassed)
    #expect(attempts.count == 1)
  }

  @Test func itEndsTheWaitForABodyThatIsLate() async throws {
    let gate = Gate()
    defer { gate.open() }
    let stuck = pond.pebble("stuck", .timeout(.seconds(3)), .retry(.attempts(2))) {
      await gate.passed()
    }

    let run = try pond.start(clock: clock, within: deadline)
    await clock.asleep(1)
    clock.advance(by: .seconds(3))
    await clock.asleep(1)
    // Without the deadline, it would wait as long again.
    try #require(clock.sleeps.entries == [.seconds(3), .seconds(2)])
    clock.advance(by: .seconds(2))
    let report = try await run.report

    let record = try #require(report.record(of: stuck))
    #expect((record.outcome.error as? PebbleTimeout)?.limit == .seconds(3))
    #expect(record.attempts.count == 1)
    #expect(record.finished == deadline)
    #expect(record.isStillRunning)
    #expect(report.cancellation == .deadlinePassed)
  }

  @Test func aPendingCallbackEndsWithIt() async throws {
    let kept = Logbook<Completion>()
    let callback = pond.pebble("callback") { complete in kept.note(complete) }

    let run = try pond.start(clock: clock, within: deadline)
    try await until { kept.count == 1 }
    await clock.asleep(1)
    clock.advance(by: deadline)
    let report = try await run.report
    kept.entries[0].succeed()

    let record = try #require(report.record(of: callback))
    #expect((record.outcome.error as? PebbleTimeout)?.isLimitOfRun == true)
    #expect(record.ignoredCompletions == 1)
    try await until { !record.isStillRunning }
  }

  @Test func aDeadlineBelowANanosecondLetsNothingStart() async throws {
    let only = pond.pebble("only") { Issue.record("started") }

    let report = try await pond.run(clock: clock, within: Duration(attoseconds: 1))

    #expect(report.outcome(of: only).skipReason == .cancelled)
    #expect(report.cancellation == .deadlinePassed)
  }
}
