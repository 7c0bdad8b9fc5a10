import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of shutdowns: their time, their callers, and their time limits.
@Suite(.watched) struct ShutdownTests {
  private let pond = Pond("shutdown")
  private let journal = Logbook<String>()

  @Test func allWhoShutARunDownWaitForTheSame() async throws {
    let (gate, started) = (Gate(), Gate())
    pond.pebble(
      "database",
      teardown: { [journal] in
        journal.note("begun")
        started.open()
        await gate.passed()
        journal.note("done")
      }
    ) {}
    let run = try pond.start()
    _ = try await run.report

    let durations = try await withThrowingTaskGroup { group in
      for _ in 0..<20 { group.addTask { try await run.shutdown() } }
      await started.passed()
      #expect(run.status.phase == .shuttingDown)
      gate.open()
      return try await group.reduce(into: Set()) { $0.insert($1.duration) }
    }

    #expect(journal.entries == ["begun", "done"])
    #expect(durations.count == 1)
    #expect(try await run.shutdown().records.count == 1)
    #expect(journal.count == 2)
  }

  @Test func cancellingWhoWaitsDoesNotCancelTheTeardown() async throws {
    let (gate, started) = (Gate(), Gate())
    pond.pebble(
      "database",
      teardown: { [journal] in
        started.open()
        await gate.passed()
        journal.note(Task.isCancelled ? "cancelled" : "done")
      }
    ) {}
    let run = try pond.start()
    _ = try await run.report

    let caller = Task { try await run.shutdown() }
    await started.passed()
    caller.cancel()
    gate.open()
    try await caller.value.check()

    #expect(journal.entries == ["done"])
  }

  @Test func aShutdownDuringTheBootCancelsItAndTearsDownWhatCameUp() async throws {
    let started = Gate()
    let database = undoable("database")
    pond.pebble("slow", when: database.succeeded) {
      started.open()
      try await untilCancelled()
    }
    let late = undoable("late", when: database.failed)
    let run = try pond.start()
    await started.passed()

    try await run.shutdown().check()
    let report = try await run.report

    #expect(report.cancellation == .shutdown)
    #expect(report.outcome(of: late).isSkipped)
    #expect(journal.entries == ["database"])
    #expect(report.shutdown?.records.map(\.pebble) == ["database"])
    #expect(run.status.phase == .shutDown)
    #expect(report.exitCode == 0)
  }

  @Test func aBodyThatSucceedsInSpiteOfTheShutdownIsTornDownToo() async throws {
    let (gate, started) = (Gate(), Gate())
    pond.pebble("stubborn", teardown: { [journal] (output: Int) in journal.note("\(output)") }) {
      started.open()
      await gate.passed()
      return 7
    }
    let run = try pond.start()
    await started.passed()

    let shutdown = Task { try await run.shutdown() }
    try await until { run.core.isCancelled }
    gate.open()
    try await shutdown.value.check()

    #expect(journal.entries == ["7"])
  }

  @Test func aCancelledBootIsTornDownBeforeItsEnd() async throws {
    let (gate, started) = (Gate(), Gate())
    let database = pond.pebble(
      "database",
      teardown: { [journal] in
        started.open()
        await gate.passed()
        journal.note("database")
      }
    ) {}
    pond.pebble("slow", when: database.succeeded) { try await untilCancelled() }

    let caller = Task { [pond] in try await pond.run() }
    caller.cancel()
    gate.open()
    let report = try await caller.value

    #expect(report.isCancelled)
    #expect(journal.count == (report.outcome(of: database).isSucceeded ? 1 : 0))
    #expect(report.shutdown?.records.count == journal.count)
  }

  @Test func whereACancelledRunHasNothingUpItsShutdownTakesNoTime() async throws {
    let (clock, started) = (AlarmClock(), Gate())
    pond.pebble("slow") {
      started.open()
      try await untilCancelled()
    }
    let run = try pond.start(clock: clock)
    await started.passed()
    run.cancel()
    _ = try await run.reportAfterShutdown()
    clock.advance(by: .seconds(3_600))

    let shutdown = try await run.shutdown()

    #expect(shutdown.records.isEmpty && shutdown.duration == .zero)
  }

  @Test func aBootThatItsPolicyCancelsIsTornDown() async throws {
    let pond = Pond("policy", onFailure: .cancelAll)
    let database = pond.pebble("database", teardown: { [journal] in journal.note("database") }) {}
    pond.pebble("bad", when: database.succeeded) { throw Breakdown() }

    let report = try await pond.run()

    #expect(report.cancellation == .failure(of: "bad"))
    #expect(journal.entries == ["database"])
    #expect(report.shutdown?.failures.isEmpty == true)
  }

  @Test func aBootThatPassesItsDeadlineIsTornDown() async throws {
    let clock = AlarmClock()
    let database = undoable("database")
    let slow = pond.pebble("slow", when: database.succeeded) { try await untilCancelled() }
    let run = try pond.start(clock: clock, within: .seconds(5))
    try await until { run.core.storage.state.status(of: 1) == .running }
    await clock.asleep(1)

    clock.advance(by: .seconds(5))
    let report = try await run.report

    #expect(report.cancellation == .deadlinePassed)
    #expect(report.outcome(of: slow).isFailed)
    // The report does not wait beyond the deadline.
    try await run.shutdown().check()
    #expect(journal.entries == ["database"])
  }

  @Test func aRunWithNothingToTearDownIsShutDownAtOnce() async throws {
    pond.pebble("plain") {}
    let run = try pond.start()

    let shutdown = try await run.shutdown()

    #expect(shutdown.records.isEmpty)
    #expect(shutdown.duration == .zero)
    #expect(try await run.report.shutdown != nil)
  }

  @Test func aCancelledRunWithNothingToTearDownHasBeenShutDown() async throws {
    let started = Gate()
    let plain = Pond("plain")
    plain.pebble("load") {
      started.open()
      try await untilCancelled()
    }
    let run = try plain.start(eventHistory: 100)
    await started.passed()
    run.cancel()

    let report = try await run.reportAfterShutdown()

    #expect(report.cancellation == .requested)
    #expect(try await run.shutdown().records.isEmpty)
    let kinds = await run.events.reduce(into: []) { $0.append($1.kind) }
    #expect(kinds.last == .runEnded)
  }

  @Test func whatHasNoMoreTimeIsGivenUp() async throws {
    let clock = AlarmClock()
    let (started, gate) = (Gate(), Gate())
    let database = undoable("database")
    let cache = pond.pebble(
      "cache", when: database.succeeded,
      teardown: {
        started.open()
        await gate.passed()
      }
    ) {}
    _ = undoable("http", when: cache.succeeded)
    let run = try pond.start(clock: clock)
    _ = try await run.report

    let shutdown = Task { try await run.shutdown(within: .seconds(5)) }
    await started.passed()
    await clock.asleep(1)
    clock.advance(by: .seconds(5))
    let report = try await shutdown.value

    try await until { journal.count == 2 }
    #expect(journal.entries == ["http", "database"])
    #expect(report.records.map(\.pebble) == ["http", "cache", "database"])
    #expect(report.failures.map(\.pebble) == ["cache", "database"])
    let timeout = try #require(report.failures.first?.error as? PebbleTimeout)
    #expect(timeout.pebble == "cache")
    #expect(timeout.limit == .seconds(5))
    // Called all the same, but not waited for.
    #expect((report.failures.last?.error as? PebbleTimeout)?.isLimitOfShutdown == true)
    #expect(report.failures.last?.started == .seconds(5))
    #expect(report.duration == .seconds(5))
    try await until { !(report.records.last?.isStillRunning ?? true) }
    #expect(report.records.map(\.isStillRunning) == [false, true, false])
    gate.open()
    try await until { !report.records.contains(where: \.isStillRunning) }
  }

  @Test func aServiceThatDoesNotStopIsGivenUp() async throws {
    let (clock, gate) = (AlarmClock(), Gate())
    let server = pond.service("server") { ready in
      ready()
      await gate.passed()
    }
    let run = try pond.start(clock: clock)
    let report = try await run.report

    let shutdown = Task { try await run.shutdown(within: .seconds(5)) }
    await clock.asleep(1)
    clock.advance(by: .seconds(5))
    let failures = try await shutdown.value.failures

    #expect(failures.map(\.pebble) == ["server"])
    #expect(failures.first?.error is PebbleTimeout)
    #expect(run.status.running.map(\.name) == ["server"])
    gate.open()
    let record = try #require(report.record(of: server))
    try await until { record.serviceEnd != nil && run.status.running.isEmpty }
  }

  @Test func aServiceWhoseTurnDidNotComeInTimeIsCancelledAllTheSame() async throws {
    let (clock, gate) = (AlarmClock(), Gate())
    let server = pond.service("server") { ready in
      ready()
      try await untilCancelled()
    }
    pond.pebble("stuck", when: server.succeeded, teardown: { await gate.passed() }) {}
    let run = try pond.start(clock: clock)
    _ = try await run.report

    let shutdown = Task { try await run.shutdown(within: .seconds(5)) }
    await clock.asleep(1)
    clock.advance(by: .seconds(5))

    #expect(try await shutdown.value.failures.map(\.pebble) == ["stuck", "server"])
    try await until { run.status.running.isEmpty }
    gate.open()
  }

  @Test func theShortestLimitCounts() async throws {
    let (clock, gate) = (AlarmClock(), Gate())
    let started = Gate()
    pond.pebble("database", teardown: { try await untilCancelled() }) {
      started.open()
      await gate.passed()
    }
    let run = try pond.start(clock: clock)
    await started.passed()

    let callers = [Duration.seconds(9), .seconds(5), .seconds(7)].map { limit in
      Task { try await run.shutdown(within: limit) }
    }
    let unlimited = Task { try await run.shutdown() }
    // Half of it is the body's.
    try await until { clock.sleeps.entries.contains(.seconds(2.5)) }
    gate.open()
    try await until { run.core.storage.state.status(of: 0) == .succeeded }
    clock.advance(by: .seconds(5))

    for caller in callers + [unlimited] { #expect(try await caller.value.failures.count == 1) }
  }

  @Test func anEndlessLimitIsNone() async throws {
    _ = undoable("database")
    let run = try pond.start()

    try await run.shutdown(within: .seconds(Int64.max)).check()
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min)])
  func aLimitOfNoTimeIsAFault(_ limit: Duration) async throws {
    _ = undoable("database")
    let run = try pond.start()
    _ = try await run.report

    let error = await #expect(throws: PondError.self) { try await run.shutdown(within: limit) }

    #expect(
      error?.faults.map(\.description) == [
        "the run has a shutdown limit of \(limit); it must be longer than zero"
      ])
    #expect(journal.count == 0)
    #expect(run.status.phase == .over)
    try await run.shutdown().check()
  }

  @Test func cancellingAfterTheEndChangesNothing() async throws {
    _ = undoable("database")
    let run = try pond.start()
    _ = try await run.report

    run.cancel()

    #expect(run.status.phase == .over)
    #expect(journal.count == 0)
    try await run.shutdown().check()
    #expect(run.status.phase == .shutDown)
    #expect(try await !run.report.isCancelled)
  }

  @Test func shutdownsAndCancellationsMayMeet() async throws {
    for round in 0..<200 {
      let pond = Pond("round \(round)")
      let undone = Logbook<String>()
      let server = pond.service("server", teardown: { undone.note("server") }) { ready in
        ready()
        try await untilCancelled()
      }
      let cache = pond.pebble("cache", teardown: { undone.note("cache") }) {}
      pond.pebble("http", when: server.succeeded && cache.succeeded) {}
      let run = try pond.start()

      let report = try await withThrowingTaskGroup { group in
        for _ in 0..<3 { group.addTask { _ = try await run.shutdown() } }
        group.addTask { run.cancel() }
        try await group.waitForAll()
        return try await run.report
      }

      let up = report.records.filter { $0.outcome.isSucceeded }.map(\.name)
      #expect(undone.entries.sorted() == up.filter { $0 != "http" }.sorted())
    }
  }

  private func undoable(_ name: String, when condition: Condition = .always) -> Pebble<Void> {
    pond.pebble(name, when: condition, teardown: { [journal] in journal.note(name) }) {}
  }
}
