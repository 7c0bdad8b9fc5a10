import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the end of runs that are started inside bodies, and of which runs may wait for each
/// other.
@Suite(.watched) struct InnerRunEndTests {
  private let app = Pond("app")
  private let journal = Logbook<String>()

  // MARK: - What came of it

  @Test func failuresInsideAreFailuresOfTheShutdownAround() async throws {
    let (middle, inner) = (Pond("middle"), Pond("inner"))
    inner.pebble("buffer", teardown: { throw Breakdown("disk full") }) {}
    middle.pebble("runs inner") { _ = try await inner.run() }
    app.pebble("runs middle") { _ = try await middle.run() }
    let run = try app.start()
    _ = try await run.report

    let shutdown = try await run.shutdown()

    #expect(throws: TeardownFailures.self) { try shutdown.check() }
    #expect(shutdown.failures.map(\.pebble) == ["runs middle"])
    #expect("\(shutdown.failures[0].error!)".contains("disk full"))
    #expect(shutdown.records[0].nested.map(\.pondName) == ["middle"])
    #expect(shutdown.records[0].nested[0].records[0].nested[0].failures.map(\.pebble) == ["buffer"])
    #expect(try await run.report.exitCode == 1)
  }

  @Test func aTeardownThatFailsLeavesNothingInsideUp() async throws {
    let inner = Pond.server("listener", journal)
    app.pebble("runs inner", teardown: { throw Breakdown("disk full") }) {
      _ = try await inner.run()
    }
    let run = try app.start()
    _ = try await run.report

    let shutdown = try await run.shutdown()

    #expect(journal.entries == ["listener up", "listener asked", "listener gone"])
    #expect(shutdown.records[0].nested.map(\.pondName) == ["listener"])
    #expect(shutdown.failures.map { $0.error as? Breakdown } == [Breakdown("disk full")])
  }

  @Test func theFailureOfATeardownCountsBeforeThoseInsideOfIt() async throws {
    let inner = Pond("inner")
    inner.pebble("buffer", teardown: { throw Breakdown("inside") }) {}
    app.pebble(
      "runs inner",
      teardown: {
        _ = try await inner.run()
        throw Breakdown("outside")
      }
    ) {}
    let run = try app.start()
    _ = try await run.report

    let shutdown = try await run.shutdown()

    #expect(shutdown.failures.map { $0.error as? Breakdown } == [Breakdown("outside")])
  }

  @Test func aFailureInsideOfAFailedAttemptIsNotLost() async throws {
    let inner = Pond("inner")
    inner.pebble("buffer", teardown: { throw Breakdown("disk full") }) {}
    app.pebble("part", .retry(.attempts(2))) {
      _ = try await inner.run()
      if PebbleContext.current?.attempt == 1 { throw Breakdown() }
    }
    let run = try app.start()
    let report = try await run.report

    #expect(report.isAllSucceeded)
    #expect(report.exitCode == 1)
    try await run.shutdown()
  }

  // MARK: - Let go

  @Test func thoseWithNothingUpAreLetGoOf() async throws {
    let (request, middle) = (Pond("request"), Pond("middle"))
    request.pebble("answer") { 1 }
    middle.pebble("runs request") { _ = try await request.run() }
    let isDone = Gate()
    app.service("server") { ready in
      ready()
      for _ in 0..<100 { _ = try await middle.run() }
      isDone.open()
      await ready.stopRequested()
    }
    let run = try app.start()
    _ = try await run.report
    await isDone.passed()

    #expect(run.core.life.read { $0.inner.runs(of: 0) }.isEmpty)
    try await run.shutdown().check()
  }

  @Test func oneWhoseLastServiceEndsByItselfIsLetGoOf() async throws {
    let inner = Pond("inner")
    let mayEnd = Gate()
    inner.service("import", .ending(.mayEnd)) { ready in
      ready()
      await mayEnd.passed()
    }
    app.pebble("runs inner") { _ = try await inner.run() }
    let run = try app.start()
    _ = try await run.report
    #expect(run.core.life.read { $0.inner.runs(of: 0) }.count == 1)

    mayEnd.open()

    try await until { run.core.life.read { $0.inner.runs(of: 0) }.isEmpty }
    #expect(try await run.shutdown().records.isEmpty)
  }

  @Test func oneThatIsShutDownByHandIsLetGoOf() async throws {
    let inner = Pond.server("listener", journal)
    let starts = app.pebble("starts") { try inner.start() }
    let run = try app.start()
    let innerRun = try #require(try await run.report[starts])
    _ = try await innerRun.report
    #expect(run.core.life.read { $0.inner.runs(of: 0) }.count == 1)

    try await innerRun.shutdown()

    #expect(run.core.life.read { $0.inner.runs(of: 0) }.isEmpty)
    #expect(try await run.shutdown().records.isEmpty)
  }

  @Test func oneWhoseLastInnerRunIsShutDownIsLetGoOf() async throws {
    let inner = Pond.server("listener", journal)
    let middle = Pond("middle")
    let starts = middle.pebble("starts") { try inner.start() }
    let runs = app.pebble("runs middle") { try await middle.run()[starts] }
    let run = try app.start()
    let innerRun = try #require(try await run.report[runs] ?? nil)
    _ = try await innerRun.report
    #expect(run.core.life.read { $0.inner.runs(of: 0) }.count == 1)

    try await innerRun.shutdown()

    try await until { run.core.life.read { $0.inner.runs(of: 0) }.isEmpty }
    #expect(try await run.shutdown().records.isEmpty)
  }

  @Test func oneThatComesUpAnewBelongsToItsAttemptAgain() async throws {
    let inner = Pond.server("listener", journal)
    let (mayStart, isUp) = (Gate(), Gate())
    let middle = Pond("middle")
    middle.pebble("body") {
      Task {
        await mayStart.passed()
        _ = try await inner.run()
        isUp.open()
      }
    }
    app.pebble("runs middle") { try await middle.start().report.records.count }
    let run = try app.start()
    _ = try await run.report
    #expect(run.core.life.read { $0.inner.runs(of: 0) }.isEmpty)
    mayStart.open()
    await isUp.passed()

    try await run.shutdown().check()

    #expect(journal.entries == ["listener up", "listener asked", "listener gone"])
  }

  /// Tests a run inside a middle run. The middle run no longer belongs to its attempt, because
  /// nothing was up in it when it ended, but it still exists.
  @Test func oneInsideOfARunThatHasLeftItsAttemptIsShutDownWithTheRunAround() async throws {
    let inner = Pond.server("listener", journal)
    let (mayStart, isUp) = (Gate(), Gate())
    let middle = Pond("middle")
    middle.pebble("body") {
      Task {
        await mayStart.passed()
        _ = try await inner.run()
        isUp.open()
      }
    }
    let starts = app.pebble("starts") {
      let run = try middle.start()
      _ = try await run.report
      return run
    }
    let run = try app.start()
    let middleRun = try #require(try await run.report[starts])
    #expect(run.core.life.read { $0.inner.runs(of: 0) }.isEmpty)
    mayStart.open()
    await isUp.passed()

    try await run.shutdown().check()

    #expect(middleRun.status.phase == .shutDown)
    #expect(journal.entries == ["listener up", "listener asked", "listener gone"])
  }

  /// Checks that the teardown of a late output can run a pond even if its own run, and the run
  /// around it, are over.
  @Test func theTeardownOfALateOutputInsideMayRunAPondOfItsOwn() async throws {
    let (started, ends, isClosed) = (Gate(), Gate(), Gate())
    let clock = AlarmClock()
    let (inner, closing) = (Pond("inner"), Pond("closing"))
    closing.pebble("close") { isClosed.open() }
    inner.pebble(
      "late", .timeout(.seconds(1)), teardown: { (_: Int) in _ = try await closing.run() }
    ) {
      started.open()
      await ends.passed()
      return 1
    }
    app.pebble("runs inner") { _ = try await inner.run(clock: clock) }
    let run = try app.start(clock: clock)
    await started.passed()
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    _ = try await run.report
    try await run.shutdown()

    ends.open()

    try await until { isClosed.isOpen }
    #expect(run.status.phase == .shutDown)
  }

  @Test func detachedRunsBelongToNobody() async throws {
    let inner = Pond.server("listener", journal)
    let starts = app.pebble("starts") {
      _ = try await inner.run(detached: true)
      return try inner.start(detached: true)
    }
    let run = try app.start()
    let innerRun = try #require(try await run.report[starts])
    _ = try await innerRun.report

    #expect(try await run.shutdown().records.isEmpty)

    #expect(innerRun.status.phase == .over)
    #expect(journal.entries == ["listener up", "listener up"])
    try await innerRun.shutdown().check()
  }

  // MARK: - Waiting for the run around

  /// Checks that a body of an inner run may wait for the run around it, because no other caller
  /// waits for the inner run. The body that started the inner run ends before or after that wait
  /// begins.
  @Test(arguments: [false, true])
  func aBodyInsideMayWaitForTheEndOfTheRunAround(isBodyOver: Bool) async throws {
    let (waits, bodyMayEnd, outerRun) = (Gate(), Gate(), Promise<Run>())
    let inner = Pond("inner")
    let logs = inner.pebble("logs") {
      let run = await outerRun.value()
      if isBodyOver { await waits.passed() } else { waits.open() }
      return try await run.report.pondName
    }
    let starts = app.pebble("starts") {
      let run = try inner.start()
      await bodyMayEnd.passed()
      return run
    }
    let run = try app.start()
    outerRun.fulfill(run)
    if !isBodyOver { await waits.passed() }
    bodyMayEnd.open()
    let innerRun = try #require(try await run.report[starts])
    waits.open()

    #expect(try await innerRun.report[logs] == "app")
    try await run.shutdown().check()
  }

  @Test func oneThatWaitsForTheRunAroundIsToldWhenThatWaitsForIt() async throws {
    let (waits, outerRun) = (Gate(), Promise<Run>())
    let inner = Pond("inner")
    let logs = inner.pebble("logs") {
      let run = await outerRun.value()
      waits.open()
      return try await run.report.pondName
    }
    let starts = app.pebble("starts") { try inner.start() }
    app.pebble("goes on", when: starts.succeeded) { try await untilCancelled() }
    let run = try app.start()
    outerRun.fulfill(run)
    await waits.passed()

    run.cancel()
    let report = try await run.report
    let innerReport = try await #require(report[starts]).report

    #expect(innerReport.outcome(of: logs).error is PondError)
  }

  @Test func oneThatWaitsForTheNextAttemptOfItsOwnIsTold() async throws {
    let (waits, outerRun) = (Gate(), Promise<Run>())
    let inner = Pond("inner")
    inner.pebble("logs") { [journal] in
      let run = await outerRun.value()
      waits.open()
      do {
        _ = try await run.report
      } catch {
        journal.note("\(error)")
      }
    }
    app.pebble("starts", .retry(.attempts(2))) {
      guard PebbleContext.current?.attempt == 1 else { return }
      _ = try inner.start()
      await waits.passed()
      throw Breakdown()
    }
    let run = try app.start()
    outerRun.fulfill(run)

    let report = try await run.report

    #expect(report.isAllSucceeded)
    #expect(journal.count == 1)
    try await run.shutdown().check()
  }
}
