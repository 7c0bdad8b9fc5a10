import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that a run started inside a body belongs to the attempt of that body from its beginning.
@Suite(.watched) struct InnerRunTests {
  private let app = Pond("app")
  private let journal = Logbook<String>()

  private func upAndDown() async throws -> ShutdownReport {
    let run = try app.start()
    _ = try await run.report
    return try await run.shutdown()
  }

  // MARK: - Shut down with the run around

  @Test(arguments: 0...3) func whateverLiesInBetween(depth: Int) async throws {
    var pond = Pond.server("listener", journal)
    for level in 0..<depth {
      let around = Pond("level \(level)")
      around.pebble("runs") { [pond] in _ = try await pond.run() }
      pond = around
    }
    app.pebble("runs") { [pond] in _ = try await pond.run() }

    try await upAndDown().check()

    #expect(journal.entries == ["listener up", "listener asked", "listener gone"])
  }

  @Test(arguments: [false, true])
  func inTheReverseOrderOfTheirPebbles(hasTeardown: Bool) async throws {
    let (database, http) = (Pond.server("database", journal), Pond.server("http", journal))
    let first = app.pebble("first") { _ = try await database.run() }
    app.pebble("second", when: first.succeeded) { _ = try await http.run() }
    if hasTeardown { app.pebble("file", teardown: {}) {} }

    try await upAndDown().check()

    #expect(
      journal.entries == [
        "database up", "http up", "http asked", "http gone", "database asked", "database gone",
      ])
  }

  @Test func thoseOfOneBodyInTheReverseOrderOfTheirStarts() async throws {
    let (database, http) = (Pond.server("database", journal), Pond.server("http", journal))
    app.pebble("both", teardown: { [journal] in journal.note("both") }) {
      _ = try await database.run()
      _ = try await http.run()
    }

    try await upAndDown().check()

    #expect(
      journal.entries.dropFirst(2) == [
        "both", "http asked", "http gone", "database asked", "database gone",
      ])
  }

  @Test func alsoIfItIsUpOnlyWhenItsBodyHasEnded() async throws {
    let booted = Gate()
    let inner = Pond.server("worker", journal, after: booted)
    let workers = app.pebble("starts") { try inner.start() }
    let run = try app.start()
    let report = try await run.report
    let innerRun = try #require(report[workers])

    booted.open()
    #expect(try await innerRun.report.isAllSucceeded)
    #expect(innerRun.status.phase == .over)
    try await run.shutdown().check()

    #expect(journal.entries == ["worker up", "worker asked", "worker gone"])
  }

  @Test func oneThatStillBootsIsCancelled() async throws {
    let inner = Pond("inner")
    let slow = inner.pebble("slow") { try await untilCancelled() }
    inner.service("listener", when: slow.succeeded) { ready in
      Issue.record("the listener was started")
      ready()
    }
    let starts = app.pebble("starts") { try inner.start() }
    let run = try app.start()
    let innerRun = try #require(try await run.report[starts])

    try await run.shutdown().check()

    #expect(innerRun.status.phase == .shutDown)
    #expect(try await innerRun.report.cancellation == .shutdown)
  }

  @Test(arguments: [false, true]) func thatOfAService(isReadyBefore: Bool) async throws {
    let inner = Pond.server("listener", journal)
    let isUp = Gate()
    app.service("service", .stopWithin(.seconds(1000))) { [journal] ready in
      if isReadyBefore { ready() }
      _ = try await inner.run()
      ready()
      isUp.open()
      await ready.stopRequested()
      journal.note("service asked")
    }
    let run = try app.start()
    _ = try await run.report
    await isUp.passed()

    try await run.shutdown().check()

    #expect(
      journal.entries == ["listener up", "service asked", "listener asked", "listener gone"])
  }

  @Test func thatOfATaskThatHasOutlivedItsBody() async throws {
    let inner = Pond.server("listener", journal)
    let (mayStart, isUp) = (Gate(), Gate())
    app.pebble("body") {
      Task {
        await mayStart.passed()
        _ = try await inner.run()
        isUp.open()
      }
    }
    let run = try app.start()
    _ = try await run.report
    mayStart.open()
    await isUp.passed()

    try await run.shutdown().check()

    #expect(journal.entries == ["listener up", "listener asked", "listener gone"])
  }

  @Test func oneThatIsStartedAfterTheShutdownDoesNotComeUp() async throws {
    let inner = Pond.server("listener", journal)
    let mayStart = Gate()
    let late = app.pebble("body") {
      Task {
        await mayStart.passed()
        return try await inner.run()
      }
    }
    let run = try app.start()
    let task = try #require(try await run.report[late])
    try await run.shutdown().check()

    mayStart.open()
    let report = try await task.value

    #expect(report.cancellation == .shutdown)
    #expect(journal.entries.isEmpty)
  }

  // MARK: - Shut down with its attempt

  @Test func beforeTheBodyIsCalledAgain() async throws {
    let inner = Pond.server("port", journal)
    app.pebble("part", .retry(.attempts(3))) { [journal] in
      try await inner.run().check()
      journal.note("attempt \(PebbleContext.current?.attempt ?? 0)")
      if PebbleContext.current?.attempt != 3 { throw Breakdown() }
    }

    try await upAndDown().check()

    let call = { (number: Int) in ["port up", "attempt \(number)", "port asked", "port gone"] }
    #expect(journal.entries == (1...3).flatMap(call))
  }

  @Test func beforeAServiceIsRestarted() async throws {
    let inner = Pond.server("port", journal)
    let isStable = Gate()
    app.service("consumer", .ending(.restart(.attempts(3)))) { [journal] ready in
      _ = try await inner.run()
      journal.note("call \(PebbleContext.current?.attempt ?? 0)")
      ready()
      if PebbleContext.current?.attempt != 3 { throw Breakdown() }
      isStable.open()
      await ready.stopRequested()
    }
    let run = try app.start()
    _ = try await run.report
    await isStable.passed()
    try await run.shutdown().check()

    let call = { (number: Int) in ["port up", "call \(number)", "port asked", "port gone"] }
    #expect(journal.entries == (1...3).flatMap(call))
  }

  @Test(arguments: [PebbleTrait.traits(), .timeout(.seconds(1000))])
  func whenABodyHasFailed(trait: PebbleTrait) async throws {
    let inner = Pond.server("port", journal)
    let isGone = Gate()
    let failing = app.pebble("failing", trait, .exclusive("port")) {
      _ = try await inner.run()
      throw Breakdown()
    }
    app.pebble("next", .exclusive("port"), when: failing.failed) { [journal] in
      journal.note("next")
      isGone.open()
    }
    let run = try app.start()
    _ = try await run.report
    await isGone.passed()

    #expect(journal.entries == ["port up", "port asked", "port gone", "next"])
    try await run.shutdown().check()
  }

  @Test func whenABodyThatWasGivenUpHasEnded() async throws {
    let inner = Pond.server("port", journal)
    let clock = AlarmClock()
    let (isUp, mayEnd) = (Gate(), Gate())
    app.pebble("late", .timeout(.seconds(1)), .exclusive("port")) {
      _ = try await inner.run()
      isUp.open()
      await mayEnd.passed()
    }
    let next = app.pebble("next", .exclusive("port")) { [journal] in journal.note("next") }
    let run = try app.start(clock: clock)
    await isUp.passed()
    clock.advance(by: .seconds(1))
    mayEnd.open()

    let report = try await run.report

    #expect(report.outcome(of: next).isSucceeded)
    #expect(journal.entries == ["port up", "port asked", "port gone", "next"])
    try await run.shutdown().check()
  }

  @Test func oneThatIsStartedAfterItsAttemptHasFailedDoesNotComeUp() async throws {
    let inner = Pond.server("listener", journal)
    let mayStart = Gate()
    let task = Promise<Task<Report, any Error>>()
    app.pebble("failing") { () async throws -> Void in
      task.fulfill(
        Task {
          await mayStart.passed()
          return try await inner.run()
        })
      throw Breakdown()
    }
    let run = try app.start()
    _ = try await run.report

    mayStart.open()
    let report = try await task.value().value

    #expect(report.cancellation == .shutdown)
    #expect(journal.entries.isEmpty)
    try await run.shutdown()
  }

  @Test func thoseOfATeardownEndWithIt() async throws {
    let inner = Pond.server("helper", journal)
    app.pebble(
      "file",
      teardown: { [journal] in
        _ = try await inner.run()
        journal.note("closed")
      }
    ) {}
    app.pebble("plain") {}

    try await upAndDown().check()

    #expect(journal.entries == ["helper up", "closed", "helper asked", "helper gone"])
  }
}
