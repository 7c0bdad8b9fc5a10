import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that neither a restart of a service nor the teardown of a run closes an output that is
/// still in use.
@Suite(.watched) struct RestartsWithTimingTests {
  private let crew = ServiceCrew()
  private let clock = AlarmClock()
  private let again = PebbleTrait.ending(.restart(.attempts(9)))

  private func database(in pond: Pond) -> Pebble<Int> {
    pond.service("database", again, teardown: crew.closing("database")) { [crew] ready in
      try await crew.run("database", ready)
    }
  }

  @Test func whatEndsInAShutdownIsClosedAfterWhatUsesIt() async throws {
    let pond = Pond("boot")
    let database = database(in: pond)
    let mayClose = Gate()
    pond.service(
      "http", .restartsWith(database), needs: database,
      teardown: { [crew] call in
        await mayClose.passed()
        try await crew.closing("http")(call)
      },
      body: { [crew] (ready: ServiceReady<Int>, database) in
        try await crew.run("http", ready, with: database)
      })
    let run = try pond.start()
    _ = try await run.report
    async let shutdown = run.shutdown()
    try await until { crew.entries.contains("http 1 stops") }
    crew.crash("database")
    try await until { crew.entries.contains("database 1 crashes") }
    for _ in 0..<100 { await Task.yield() }
    mayClose.open()
    try await shutdown.check()

    #expect(crew.entries.suffix(2) == ["close http 1", "close database 1"])
    #expect(!crew.entries.contains("database 2"))
  }

  /// Checks that a pebble that waits for a service starts as soon as the service is ready again,
  /// although the body of another pebble is still waiting.
  @Test func whatWaitsForAServiceStartsAsSoonAsThatIsUpAgain() async throws {
    let pond = Pond("boot")
    let database = database(in: pond)
    let (trigger, hasRead) = (Gate(), Gate())
    pond.pebble("long") { await hasRead.passed() }
    let triggered = pond.pebble("trigger") { await trigger.passed() }
    pond.pebble("reader", needs: database, when: triggered.succeeded) { _ in hasRead.open() }
    crew.holdStart("database", 2)
    let run = try pond.start()
    try await until { run.status.settled == 1 }
    crew.crash("database")
    try await until { crew.entries.contains("database 2") }
    trigger.open()
    try await until { run.core.queue.ordered?.waitingCount == 1 }
    for _ in 0..<200 { await Task.yield() }

    crew.letStart("database", 2)

    #expect(try await run.report.isAllSucceeded)
    try await run.shutdown().check()
  }

  /// Checks that a pebble that waits for a service that stays down is skipped even though the clock
  /// never advances.
  @Test func whatWaitsForAServiceThatStaysDownIsSkippedAtOnce() async throws {
    let pond = Pond("boot")
    let database = database(in: pond)
    let cache: Pebble<Int> = pond.service(
      "cache", .restartsWith(database), .ending(.ignore), needs: database
    ) { [crew] ready, database in try await crew.run("cache", ready, with: database) }
    let goesOn = Gate()
    let slow = pond.pebble("slow") { await goesOn.passed() }
    let reader = pond.pebble("reader", needs: cache, when: slow.succeeded) { _ in }
    let run = try pond.start(clock: clock)
    try await until { run.status.settled == 2 }
    crew.crash("cache")
    try await until { run.core.life.read { $0.staysDown(1) } }
    goesOn.open()

    #expect(try await run.report.skipped(reader))
    try await run.shutdown()
  }

  @Test func whatAFailedStartHasLeftIsClosedFirst() async throws {
    let pond = Pond("boot")
    let database = database(in: pond)
    let mayClose = Gate()
    let session = Pond("session")
    session.pebble(
      "session",
      teardown: { [crew] in
        await mayClose.passed()
        try await crew.closing("session")(1)
      }
    ) { [crew] in crew.opens("session", 1) }
    let isFirst = Attempts(failing: 1)
    pond.service("http", .restartsWith(database), .retry(.attempts(2)), needs: database) {
      [crew] (ready: ServiceReady<Int>, database) in
      if isFirst.count == 0 { _ = try await session.run() }
      _ = try isFirst.next()
      try await crew.run("http", ready, with: database)
    }
    let run = try pond.start()
    try await until { crew.openCount == 2 && isFirst.count == 1 }
    crew.crash("database")
    try await until { crew.entries.contains("database 1 crashes") }
    for _ in 0..<100 { await Task.yield() }
    mayClose.open()
    let report = try await run.report
    try await run.shutdown().check()

    let closings = crew.entries.filter { $0.hasPrefix("close") }
    #expect(closings == ["close session 1", "close database 1", "close database 2"])
    #expect(report.exitCode == 0)
  }

  @Test func oneThatEndsByItselfIsAFailureOfItsOwn() async throws {
    let pond = Pond("boot")
    let database = database(in: pond)
    let cache: Pebble<Int> = pond.service(
      "cache", .restartsWith(database), .ending(.ignore), needs: database
    ) { [crew] ready, database in try await crew.run("cache", ready, with: database) }
    pond.service("http", .restartsWith(cache), .ending(.restart(.attempts(3))), needs: cache) {
      [crew] (ready: ServiceReady<Int>, cache) in
      try await crew.run("http", ready, with: cache)
    }
    let run = try pond.start()
    let boot = try await run.report
    crew.crash("cache")
    try await until { boot.record(of: cache)?.serviceEnd != nil }
    crew.crash("http")
    let report = try await run.reportAfterShutdown()

    #expect(report.record(named: "http")?.serviceEnd?.wasAsked == false)
    #expect(report.unhandledFailures.map(\.name) == ["cache", "http"])
    #expect(!crew.entries.contains { $0.hasPrefix("http 2") })
  }

  /// Tests `http`, which ends by itself while `cache`, the service that it restarts with, is still
  /// being closed. The ending of `cache` is ignored, so neither of them is called again.
  @Test func oneThatEndsByItselfDoesNotWaitForWhatIsNotCalledAgain() async throws {
    let (pond, session, mayClose) = (Pond("boot"), Pond("session"), Gate())
    let database = database(in: pond)
    session.pebble("session", teardown: { await mayClose.passed() }) {}
    let cache: Pebble<Int> = pond.service(
      "cache", .restartsWith(database), .ending(.ignore), needs: database
    ) { [crew] ready, database in
      _ = try await session.run()
      try await crew.run("cache", ready, with: database)
    }
    pond.service("http", .restartsWith(cache), .ending(.restart(.attempts(3))), needs: cache) {
      [crew] (ready: ServiceReady<Int>, cache) in
      try await crew.run("http", ready, with: cache)
    }
    let run = try pond.start()
    let boot = try await run.report
    crew.crash("cache")
    try await until { boot.record(of: cache)?.serviceEnd != nil }
    crew.crash("http")
    try await until { boot.record(named: "http")?.serviceEnd != nil }
    mayClose.open()
    let report = try await run.reportAfterShutdown()

    #expect(report.record(named: "http")?.serviceEnd?.wasAsked == false)
    #expect(report.unhandledFailures.map(\.name) == ["cache", "http"])
    #expect(!crew.entries.contains { $0.hasPrefix("http 2") })
  }

  @Test func oneWhoseOwnLeaderHasFailedWaitsForTheOneBeforeIt() async throws {
    let pond = Pond("boot")
    let database = database(in: pond)
    let cache: Pebble<Int> = pond.service(
      "cache", .restartsWith(database), .ending(.ignore), needs: database
    ) { ready, _ in throw Breakdown("cache") }
    pond.service("http", .restartsWith(cache), needs: cache.result) {
      [crew] (ready: ServiceReady<Int>, cache) in try await crew.run("http", ready)
    }
    crew.holdStart("http", 1)
    let run = try pond.start()
    try await until { crew.entries.contains("http 1") }
    crew.crash("database")
    _ = try await run.report
    try await run.shutdown().check()

    let isAfter = crew.entries.firstIndex(of: "database 2") ?? .max
    #expect(crew.entries.firstIndex(of: "http 2") ?? 0 > isAfter)
  }

  @Test func oneThatWaitsForAnotherIsNoFailureIfItsLeaderGoesDownAgain() async throws {
    let pond = Pond("boot")
    let database: Pebble<Int> = pond.service("database", .ending(.restart(.attempts(2)))) {
      [crew] ready in try await crew.run("database", ready)
    }
    let cache: Pebble<Int> = pond.service("cache", .restartsWith(database), needs: database) {
      [crew] ready, database in try await crew.run("cache", ready, with: database)
    }
    pond.service("http", .restartsWith(database), needs: database, when: cache.succeeded) {
      [crew] (ready: ServiceReady<Int>, database) in
      try await crew.run("http", ready, with: database)
    }
    crew.holdStart("cache", 2)
    let run = try pond.start()
    _ = try await run.report
    crew.crash("database")
    try await until { crew.entries.contains("cache 2 with [2]") }
    crew.crash("database")
    let report = try await run.reportAfterShutdown()

    #expect(report.unhandledFailures.map(\.name) == ["database"])
    #expect(!crew.entries.contains { $0.hasPrefix("http 2") })
  }

  @Test func oneThatReturnsBeforeItIsAskedIsCalledAgain() async throws {
    let pond = Pond("boot")
    let database = database(in: pond)
    let returns = Gate()
    let calls = Attempts(failing: 0)
    let cache: Pebble<Int> = pond.service(
      "cache", .restartsWith(database), .ending(.mayEnd), needs: database
    ) { ready, database in
      ready(database)
      if try calls.next() == 1 { await returns.passed() } else { await ready.stopRequested() }
    }
    pond.service("http", .restartsWith(cache), needs: cache) {
      [crew] (ready: ServiceReady<Int>, cache) in
      try await crew.run("http", ready, with: cache)
    }
    crew.holdStop("http")
    let run = try pond.start()
    let report = try await run.report
    crew.crash("database")
    try await until { crew.entries.contains("http 1 stops") }
    returns.open()
    try await until { report.record(of: cache)?.serviceEnd != nil }
    crew.letStop("http")
    try await until { crew.entries.contains("http 2 with [2]") }
    try await run.shutdown().check()
  }

  @Test func whatIsCalledAgainIsToldEventsAgain() async throws {
    let pond = Pond("boot")
    let database = database(in: pond)
    let told = Logbook<Int>()
    let calls = Attempts(failing: 0)
    pond.service("watch", .restartsWith(database), needs: database) { ready, _ in
      let call = try calls.next()
      ready()
      let run = try #require(PebbleContext.current?.run)
      for await _ in run.events { told.note(call) }
    }
    let run = try pond.start(eventHistory: 100)
    _ = try await run.report
    crew.crash("database")
    try await until { told.entries.contains(2) }
    try await run.shutdown().check()
  }

  @Test func aServiceThatIsNotReadyAgainHasNotBeenReady() async throws {
    let pond = Pond("boot")
    let calls = Attempts(failing: 0)
    let database = pond.service(
      "database", .timeout(.seconds(2)),
      .ending(.restart(.attempts(3), resetAfter: .seconds(1)))
    ) { [clock] ready in
      let call = try calls.next()
      if call == 1 { ready() } else { try await clock.sleep(for: .seconds(1)) }
      throw Breakdown("database")
    }
    let run = try pond.start(clock: clock)
    for _ in 2...3 {
      await clock.asleep(2)
      clock.advance(by: .seconds(1))
    }
    let report = try await run.reportAfterShutdown()

    #expect(report.record(of: database)?.isServiceDown == true)
    #expect(calls.count == 3)
  }

  @Test func aReaderThatWaitsInVainGivesItsThreadBack() async throws {
    let threads = BlockingThreads(limit: 1)
    let pond = Pond("boot")
    let database = database(in: pond)
    let isCalled = Gate()
    pond.pebble(
      "reader", .blocking, .retry(.backoff(attempts: 2, initial: .seconds(1))), needs: database
    ) { _ in
      isCalled.open()
      throw Breakdown("reader")
    }
    crew.holdStart("database", 2)

    try await BlockingThreads.$shared.withValue(threads) {
      let run = try pond.start(clock: clock)
      await isCalled.passed()
      await clock.asleep(1)
      crew.crash("database")
      try await until { crew.entries.contains("database 2") }
      clock.advance(by: .seconds(1))
      for _ in 0..<100 { await Task.yield() }
      run.cancel()
      _ = try await run.report
    }
    #expect(try await threads.lease(for: RunIdentifier(), priority: 0) != nil)
  }

  @Test func oneThatIgnoresThatItStartsAnewIsGivenUp() async throws {
    let pond = Pond("boot")
    let database = database(in: pond)
    let (isCalled, ends) = (Gate(), Gate())
    let http = pond.service(
      "http", .restartsWith(database), .stopWithin(.seconds(1)), needs: database
    ) { ready, _ in
      isCalled.open()
      await ends.passed()
      ready()
    }
    let run = try pond.start(clock: clock)
    try await until { crew.isUp("database", 1) }
    await isCalled.passed()
    crew.crash("database")
    for _ in 0..<2 {
      await clock.asleep(1)
      clock.advance(by: .seconds(1))
    }
    let report = try await run.report
    try await until { crew.isUp("database", 2) }

    #expect(report.outcome(of: http).error as? ServiceError == .didNotStop)
    ends.open()
    try await run.shutdown().check()
    #expect(crew.faults == [])
  }

  @Test func theTeardownOfALateOutputMayRunAPondOfItsOwn() async throws {
    let pond = Pond("boot")
    let (ends, isClosed) = (Gate(), Gate())
    let closing = Pond("closing")
    closing.pebble("close") { isClosed.open() }
    let late: Pebble<Int> = pond.pebble(
      "late", .timeout(.seconds(1)), teardown: { _ in _ = try await closing.run() }
    ) {
      await ends.passed()
      return 1
    }
    let run = try pond.start(clock: clock)
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    let report = try await run.report
    _ = try await run.shutdown()
    ends.open()
    await isClosed.passed()

    #expect(report.record(of: late)?.lateTeardownErrors.isEmpty == true)
  }
}
