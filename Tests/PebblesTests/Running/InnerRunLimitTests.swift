import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of runs inside bodies: runs whose shutdown takes long, runs that are started during a
/// shutdown, and runs for which other callers wait during a shutdown.
@Suite(.watched) struct InnerRunLimitTests {
  private let app = Pond("app")
  private let clock = AlarmClock()
  private let journal = Logbook<String>()

  /// Returns a pond with a service that ends once it has been asked to stop and the gate is open.
  private func stubborn(until mayEnd: Gate) -> Pond {
    let pond = Pond("stubborn")
    pond.service("port", .stopWithin(.seconds(1_000_000))) { [journal] ready in
      journal.note("up")
      ready()
      await ready.stopRequested()
      await mayEnd.passed()
      journal.note("gone")
    }
    return pond
  }

  @Test func theLimitIsKeptAlsoIfOneIsBeingShutDownAlready() async throws {
    let mayEnd = Gate()
    let inner = stubborn(until: mayEnd)
    // By a clock of its own, which stands still, it may take as long as it likes.
    let starts = app.pebble("starts") { try inner.start(clock: AlarmClock()) }
    let run = try app.start(clock: clock)
    let innerRun = try #require(try await run.report[starts])
    _ = try await innerRun.report
    let byHand = Task { try await innerRun.shutdown() }
    try await until { innerRun.status.phase == .shuttingDown }

    let shutdown = Task { try await run.shutdown(within: .seconds(1)) }
    await clock.asleep(1)
    clock.advance(by: .seconds(1))

    #expect(try await shutdown.value.failures.map(\.pebble) == ["starts"])
    mayEnd.open()
    try await byHand.value.check()
  }

  @Test func aServiceThatIsToldOfBeforeTheShutdownIsOverRunsUntilItEnds() async throws {
    let mayEnd = Gate()
    let run = try stubborn(until: mayEnd).start(clock: clock)
    _ = try await run.report
    let shutdown = Task { try await run.shutdown() }
    try await until { run.status.phase == .shuttingDown }

    let record = try #require(run.core.shutdownSoFar.failures.first)
    #expect(record.pebble == "port" && record.isStillRunning)
    mayEnd.open()
    try await shutdown.value.check()

    #expect(!record.isStillRunning)
    #expect(run.status.phase == .shutDown)
  }

  @Test func aServiceThatWasCalledAgainRunsUntilItEndsToo() async throws {
    let (crash, mayEnd, calls) = (Gate(), Gate(), Attempts(failing: 0))
    app.service(
      "port", .ending(.restart(.attempts(3))), .stopWithin(.seconds(1_000_000))
    ) { ready in
      let call = try calls.next()
      ready()
      if call == 1 {
        await crash.passed()
        throw Breakdown()
      }
      await ready.stopRequested()
      await mayEnd.passed()
    }
    let run = try app.start(clock: clock)
    _ = try await run.report
    crash.open()
    try await until { calls.count == 2 && run.core.life.read { $0.isServiceUp(0) } }
    let shutdown = Task { try await run.shutdown() }
    try await until { run.status.phase == .shuttingDown }

    let record = try #require(run.core.shutdownSoFar.failures.first)
    #expect(record.pebble == "port" && record.isStillRunning)
    mayEnd.open()
    try await shutdown.value.check()

    #expect(!record.isStillRunning)
  }

  /// Checks that a shutdown with a time limit shuts down the runs inside bodies at once. The clock
  /// stands still, so any wait for the clock would never end.
  @Test func howeverLongAShutdownMayTakeWhatRunsInsideIsShutDownAtOnce() async throws {
    let inner = Pond.server("listener", journal)
    app.pebble("starts") { [clock] in _ = try await inner.run(clock: clock) }
    let run = try app.start(clock: clock)
    _ = try await run.report

    try await run.shutdown(within: .seconds(9)).check()

    #expect(journal.entries == ["listener up", "listener asked", "listener gone"])
  }

  @Test func aBodyIsNotCalledAgainBesideWhatItsLastAttemptStarted() async throws {
    let mayEnd = Gate()
    let inner = stubborn(until: mayEnd)
    let failing = app.pebble("failing", .timeout(.seconds(1)), .retry(.attempts(3))) { [journal] in
      journal.note("call")
      _ = try await inner.run()
      throw Breakdown()
    }
    let run = try app.start(clock: clock)
    // The first is the timeout of the body, which has failed before; the second is how long the
    // run waits for what that has started.
    try await until { clock.sleeps.count == 2 }
    await clock.asleep(1)
    clock.advance(by: .seconds(1))

    let report = try await run.report

    #expect(report.outcome(of: failing).error is Breakdown)
    #expect(journal.entries == ["call", "up"])
    mayEnd.open()
    try await run.shutdown()
    #expect(journal.entries == ["call", "up", "gone"])
  }

  @Test func aServiceIsNotCalledAgainBesideWhatItsLastCallStarted() async throws {
    let mayEnd = Gate()
    let inner = stubborn(until: mayEnd)
    let server = app.service(
      "server", .timeout(.seconds(1)), .ending(.restart(.attempts(3)))
    ) { [clock, journal] ready in
      journal.note("call")
      _ = try await inner.run()
      await clock.asleep(1)
      ready()
      throw Breakdown()
    }
    let run = try app.start(clock: clock)
    let report = try await run.report
    // The first is the timeout of the service, which is ready; the second is how long it waits for
    // what its call has started.
    try await until { clock.sleeps.count == 2 }
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    try await until { report.record(of: server)?.isServiceDown == true }

    #expect(journal.entries == ["call", "up"])
    mayEnd.open()
    try await run.shutdown()
    #expect(journal.entries == ["call", "up", "gone"])
  }

  /// Tests a run that is started by a task of a failed attempt, after the outer run has been
  /// released. The outer run had nothing up, so it was never shut down.
  @Test func oneThatIsStartedAfterItsAttemptHasFailedInARunThatIsGoneDoesNotComeUp() async throws {
    let inner = Pond.server("listener", journal)
    let mayStart = Gate()
    let tasks = Logbook<Task<Report, any Error>>()
    weak var core: RunCore?
    do {
      app.pebble("body") {
        tasks.note(
          Task {
            await mayStart.passed()
            return try await inner.run()
          })
        throw Breakdown()
      }
      let run = try app.start()
      core = run.core
      _ = try await run.report
    }
    try await until { core == nil }

    mayStart.open()
    let report = try await tasks.entries.first?.value

    #expect(report?.cancellation == .shutdown)
    #expect(journal.entries.isEmpty)
  }

  @Test func oneThatIsStartedAfterTheShutdownOfARunThatIsGoneDoesNotComeUp() async throws {
    let inner = Pond.server("listener", journal)
    let mayStart = Gate()
    var task: Task<Report, any Error>?
    do {
      let late = app.pebble("body") {
        Task {
          await mayStart.passed()
          return try await inner.run()
        }
      }
      let run = try app.start()
      task = try await run.report[late]
      try await run.shutdown().check()
    }

    mayStart.open()
    let report = try await task?.value

    #expect(report?.cancellation == .shutdown)
    #expect(journal.entries.isEmpty)
  }

  /// Tests a run that is started by a task of a body, after the cancelled outer run has ended. The
  /// outer run had nothing to tear down, and still exists.
  @Test func oneThatIsStartedAfterTheEndOfACancelledRunDoesNotComeUp() async throws {
    let inner = Pond.server("listener", journal)
    let (hasBegun, mayStart) = (Gate(), Gate())
    let late = app.pebble("body") {
      Task {
        await mayStart.passed()
        return try await inner.run()
      }
    }
    app.pebble("goes on", when: late.succeeded) {
      hasBegun.open()
      try await untilCancelled()
    }
    let run = try app.start()
    await hasBegun.passed()
    run.cancel()
    let task = try await run.reportAfterShutdown()[late]

    mayStart.open()
    let report = try await task?.value

    #expect(report?.cancellation == .shutdown)
    #expect(journal.entries.isEmpty)
    #expect(run.core.life.read { $0.inner.isEmpty })
  }

  @Test func oneThatIsStartedAfterThePlaceOfItsPebbleDoesNotComeUp() async throws {
    let inner = Pond.server("port", journal)
    let (mayStart, isOver) = (Gate(), Gate())
    let database = app.pebble(
      "database",
      teardown: { [journal] in
        mayStart.open()
        await isOver.passed()
        journal.note("database closed")
      }
    ) {}
    app.pebble("http", when: database.succeeded) {
      Task {
        await mayStart.passed()
        _ = try await inner.run()
        isOver.open()
      }
    }
    let run = try app.start()
    _ = try await run.report

    try await run.shutdown().check()

    #expect(journal.entries == ["database closed"])
  }

  @Test func whatATeardownCannotTearDownIsAFailureOfIt() async throws {
    let inner = Pond("inner")
    inner.pebble("buffer", teardown: { throw Breakdown("disk full") }) {}
    app.pebble("file", teardown: { _ = try await inner.run() }) {}
    let run = try app.start()
    _ = try await run.report

    let shutdown = try await run.shutdown()

    #expect(shutdown.failures.map(\.pebble) == ["file"])
    #expect("\(shutdown.failures[0].error!)".contains("disk full"))
  }

  /// Tests a teardown that runs two ponds whose own teardowns fail. The error is that of the run
  /// started last, because that run is shut down first.
  @Test func ofSeveralThatATeardownCannotTearDownTheFirstIsTold() async throws {
    app.pebble(
      "file",
      teardown: {
        for name in ["started first", "started last"] {
          let inner = Pond("inner")
          inner.pebble("buffer", teardown: { throw Breakdown(name) }) {}
          _ = try await inner.run()
        }
      }
    ) {}
    let run = try app.start()
    _ = try await run.report

    let shutdown = try await run.shutdown()

    let error = try #require(shutdown.failures.first?.error)
    #expect("\(error)".contains("started last"))
  }

  @Test func aServiceThatWaitsForWhatItHasStartedItselfIsTold() async throws {
    let inner = Pond.server("listener", journal)
    app.service("service") { [journal] ready in
      let run = try inner.start()
      _ = try await run.report
      ready()
      do {
        _ = try await run.reportAfterShutdown()
      } catch {
        journal.note("told")
      }
    }
    let run = try app.start()
    _ = try await run.report

    try await run.shutdown().check()

    #expect(journal.entries == ["listener up", "told", "listener asked", "listener gone"])
  }

  /// Tests the order of a shutdown if it depends on two pebbles that were skipped at the same time,
  /// but not in definition order.
  @Test func skipsOfOneMomentHaveAnOrder() async throws {
    let (database, http) = (Pond.server("database", journal), Pond.server("http", journal))
    let opens = app.pebble("opens") { _ = try await database.run() }
    let skipped = app.pebble("skipped") {}
    let follows = app.pebble("follows", when: skipped.succeeded) {}
    let fails = app.pebble("fails", when: opens.succeeded) { throw Breakdown() }
    skipped.ready = fails.succeeded && follows.succeeded
    app.pebble("listens", when: skipped.skipped || follows.skipped) { _ = try await http.run() }
    let run = try app.start(clock: clock)
    _ = try await run.report

    try await run.shutdown().check()

    #expect(
      journal.entries == [
        "database up", "http up", "http asked", "http gone", "database asked", "database gone",
      ])
  }

  @Test func manyThatAreAwaitedAreCancelledInNoTime() async throws {
    let started = Meeting(of: 1_000)
    let inner = Pond("inner")
    inner.pebble("inside") {
      await started.attend()
      try await untilCancelled()
    }
    app.pebble("many") {
      try await withThrowingTaskGroup { group in
        for _ in 0..<1_000 { group.addTask { _ = try await inner.run() } }
        try await group.waitForAll()
      }
    }
    let run = try app.start()
    await started.attendAsGuest()

    run.cancel()

    #expect(try await run.report.record(named: "many")?.nestedReports.isEmpty == false)
  }
}
