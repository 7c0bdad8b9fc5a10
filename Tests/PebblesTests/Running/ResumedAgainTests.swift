import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of runs that resume a resumed run, and of the reports about the pebbles that they keep.
@Suite(.watched) struct ResumedAgainTests {
  private let pond = Pond("boot")
  private let journal = Logbook<String>()

  private func addService(_ name: String, failing count: Int) {
    let attempts = Attempts(failing: count)
    pond.service(name) { [journal] ready in
      _ = try attempts.next()
      journal.note("\(name) up")
      ready()
      await ready.stopRequested()
      journal.note("\(name) down")
    }
  }

  /// Checks services that continue through all runs. One starts in the first run, the other in the
  /// second.
  @Test func servicesGoOnThroughAllOfThem() async throws {
    addService("first", failing: 0)
    addService("second", failing: 1)
    let load = Attempts(failing: 2)
    pond.pebble("load") { [journal] in
      journal.note(try #require(PebbleContext.current).idempotencyKey)
      _ = try load.next()
    }
    let first = try pond.start()
    _ = try await first.report
    let second = try await first.resumed()
    _ = try await second.report

    let third = try await second.resumed()
    let report = try await third.report

    #expect(report.isAllSucceeded)
    #expect(journal.entries.filter { $0.hasSuffix("up") } == ["first up", "second up"])
    #expect(report.record(named: "first")?.keptFrom == first.identifier)
    #expect(report.record(named: "second")?.keptFrom == second.identifier)
    // What is charged or sent in all of them is so once.
    let keys = Set(journal.entries.filter { $0.hasSuffix("load") })
    #expect(keys == ["\(first.identifier)/load"])
    try await third.shutdown().check()
    #expect(journal.entries.suffix(2) == ["second down", "first down"])
  }

  /// Tests a pebble that was added after the first run, which therefore has no pebble at its
  /// position. The third run must wait for its body, which continues from the second run.
  @Test func aBodyThatGoesOnIsAwaitedAlsoIfItsPebbleWasAddedAfterTheFirstRun() async throws {
    let (clock, goesOn, calls) = (AlarmClock(), Gate(), Attempts(failing: 0))
    pond.pebble("settings") {}
    let first = try pond.start()
    _ = try await first.report
    pond.pebble("load", .timeout(.seconds(1))) { [journal] in
      guard try calls.next() == 1 else { return journal.note("called again") }
      await goesOn.passed()
      journal.note("over")
    }
    let second = try await first.resumed(clock: clock)
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    #expect(try await second.report.failures.map(\.name) == ["load"])

    let third = try await second.resumed(clock: clock)
    goesOn.open()

    #expect(try await third.report.isAllSucceeded)
    #expect(journal.entries == ["over", "called again"])
    // So far beyond its pebbles, a run that read the state of one would crash.
    #expect(await first.core.bodiesEnded(of: 1 << 40) { _ in false })
  }

  @Test func oneThatWaitsForItInVainGivesItsThreadBack() async throws {
    let (threads, clock) = (BlockingThreads(limit: 1), AlarmClock())
    let (started, goesOn) = (Gate(), Gate())
    pond.pebble("load", .blocking, .timeout(.seconds(1))) {
      started.open()
      await goesOn.passed()
    }

    try await BlockingThreads.$shared.withValue(threads) {
      let first = try pond.start(clock: clock)
      await started.passed()
      await clock.asleep(1)
      clock.advance(by: .seconds(1))
      _ = try await first.report
      let second = try await first.resumed(clock: clock)
      try await until { second.status.running.map(\.name) == ["load"] }
      #expect(threads.withAdmission(\.heldCount) == 1)
      second.cancel()
      _ = try await second.report
    }

    #expect(threads.withAdmission(\.heldCount) == 0)
    goesOn.open()
  }

  @Test func observersAreToldTheCasesOfWhatIsKept() async throws {
    let settings = pond.pebble("settings") { 7 }
    let attempts = Attempts(failing: 1)
    pond.pebble("load", when: settings.is(7)) { _ = try attempts.next() }
    let first = try pond.start()
    _ = try await first.report

    let second = try await first.resumed(eventHistory: 100)
    _ = try await second.report

    var cases: [[String]] = []
    for await event in second.events {
      guard case .settled("settings", _, let held, _) = event.happening else { continue }
      cases.append(held.map(\.description))
    }
    #expect(cases.count == 1)
    #expect(cases.first?.count == 1)
  }

  /// Checks that the status has no attempts for a kept service. Like the record, it leaves them
  /// out, because they were made in the first run and their times refer to that run.
  @Test func theStatusTellsNoAttemptsOfAServiceThatIsKept() async throws {
    let (starts, attempts) = (Attempts(failing: 1), Attempts(failing: 1))
    let server = pond.service("server", .retry(.attempts(2))) { ready in
      _ = try starts.next()
      ready()
      await ready.stopRequested()
    }
    pond.pebble("load") { _ = try attempts.next() }
    let first = try pond.start()
    _ = try await first.report
    #expect(first.status.pebbles[0].attempts.count == 2)

    let second = try await first.resumed()
    let record = try #require(try await second.report.record(of: server))

    #expect(record.keptFrom == first.identifier && record.attempts.isEmpty)
    #expect(second.status.pebbles[0].attempts.isEmpty)
    try await second.shutdown().check()
  }

  /// Tests a service that goes down permanently before the new run begins, while the pebbles that
  /// the new run does not keep are being torn down.
  @Test func aServiceThatGoesDownBeforeTheNewRunBeginsIsNotTakenForUp() async throws {
    let dies = Gate()
    let database = pond.service("database", .ending(.restart(.attempts(3)))) {
      (ready: ServiceReady<Int>) in
      ready(1)
      await ready.stopRequested()
    }
    let cache = pond.service(
      "cache", .restartsWith(database), .ending(.ignore), needs: database
    ) { (ready: ServiceReady<Int>, number: Int) in
      ready(number)
      await dies.passed()
      throw Breakdown()
    }
    let attempts = Attempts(failing: 1)
    let load = pond.pebble("load") { _ = try attempts.next() }
    let first = Promise<Run>()
    pond.pebble(
      "cached", when: load.failed,
      teardown: {
        let run = await first.value()
        dies.open()
        try await until { run.core.life.read { $0.staysDown(1) } }
      }
    ) {}
    let reader = pond.pebble("reader", needs: cache, load) { _, _ in }
    let run = try pond.start()
    _ = try await run.report
    first.fulfill(run)

    let second = try await run.resumed()
    let report = try await second.report

    #expect(report.succeeded(load) && report.skipped(reader))
    try await second.shutdown()
  }

  /// Tests a pebble that needs the kept service `http`. That service is not called again, because
  /// `cache`, whose output it needs, stays down.
  @Test func aReaderOfAKeptServiceWhoseLeaderStaysDownIsSkipped() async throws {
    let (crew, attempts, goesOn) = (ServiceCrew(), Attempts(failing: 1), Gate())
    let database: Pebble<Int> = pond.service("database", .ending(.restart(.attempts(3)))) {
      ready in try await crew.run("database", ready)
    }
    let cache: Pebble<Int> = pond.service(
      "cache", .restartsWith(database), .ending(.ignore), needs: database
    ) { ready, database in try await crew.run("cache", ready, with: database) }
    let http: Pebble<Int> = pond.service("http", .restartsWith(cache), needs: cache) {
      ready, cache in try await crew.run("http", ready, with: cache)
    }
    let slow = pond.pebble("slow") {
      _ = try attempts.next()
      await goesOn.passed()
    }
    let reader = pond.pebble("reader", needs: http, slow) { _, _ in }
    crew.failsToStart("cache", 2)
    let first = try pond.start()
    _ = try await first.report
    let second = try await first.resumed()
    crew.crash("database")
    try await until { first.core.life.read { $0.services[2]?.isRunning == false } }
    goesOn.open()
    try await until { second.core.life.isOver }
    let report = try await second.report

    #expect(report.record(of: http)?.keptFrom == first.identifier)
    #expect(report.succeeded(slow))
    #expect(report.outcome(of: reader).skipReason == .resourceHeld(by: "http"))
    try await second.shutdown().check()
  }

  /// Tests a service of the first run that restarts after a pebble of the second run has taken its
  /// output. Only the clock of the first run advances, so times do not reveal that order.
  @Test func whatTookAnOutputBeforeARestartIsNotKeptWhateverTheClocksSay() async throws {
    let (crew, clock) = (ServiceCrew(), AlarmClock())
    let (load, other) = (Attempts(failing: 1), Attempts(failing: 2))
    let database: Pebble<Int> = pond.service("database", .ending(.restart(.attempts(3)))) {
      ready in try await crew.run("database", ready)
    }
    let loaded = pond.pebble("load") { _ = try load.next() }
    let reader = pond.pebble("reader", needs: database, loaded) { number, _ in number }
    pond.pebble("other") { _ = try other.next() }
    let first = try pond.start(clock: clock)
    _ = try await first.report
    let second = try await first.resumed(clock: AlarmClock())
    #expect(try await second.report[reader] == 1)
    crew.crash("database")
    try await until { crew.isUp("database", 2) && first.core.life.read { $0.isServiceUp(0) } }
    clock.advance(by: .seconds(10))

    let third = try await second.resumed()
    let report = try await third.report

    #expect(report.record(of: database)?.keptFrom == first.identifier)
    #expect(report[reader] == 2)
    try await third.shutdown().check()
  }

  /// Checks that a pebble that took the output of a restarted service is kept, even if an earlier
  /// resumed run has already kept both.
  @Test func whatTookTheOutputOfARestartedServiceIsKept() async throws {
    let crew = ServiceCrew()
    let (load, other) = (Attempts(failing: 1), Attempts(failing: 3))
    let database: Pebble<Int> = pond.service("database", .ending(.restart(.attempts(3)))) {
      ready in try await crew.run("database", ready)
    }
    let loaded = pond.pebble("load") { _ = try load.next() }
    let reader = pond.pebble("reader", needs: database, loaded) { number, _ in number }
    pond.pebble("other") { _ = try other.next() }
    let first = try pond.start()
    _ = try await first.report
    crew.crash("database")
    try await until { crew.isUp("database", 2) && first.core.life.read { $0.isServiceUp(0) } }
    let second = try await first.resumed()
    _ = try await second.report
    let third = try await second.resumed()
    _ = try await third.report

    let fourth = try await third.resumed()
    let report = try await fourth.report

    #expect(report[reader] == 2)
    #expect(report.record(of: reader)?.keptFrom == second.identifier)
    try await fourth.shutdown().check()
  }

  /// Tests a service whose follower is skipped in both runs. The follower has never been called, so
  /// it does not prevent the new run from keeping the service.
  @Test(arguments: [true, false])
  func aServiceIsKeptAlthoughWhatRestartsWithItIsSkipped(isDisabled: Bool) async throws {
    let calls = Logbook<String>()
    let attempts = Attempts(failing: 1)
    let load = pond.pebble("load") { _ = try attempts.next() }
    let database = pond.service("database", .ending(.restart(.attempts(3)))) {
      (ready: ServiceReady<Int>) in
      calls.note("database")
      ready(1)
      await ready.stopRequested()
    }
    let skipped = pond.service(
      "cache", .restartsWith(database), .enabled { !isDisabled }, needs: database, when: .never
    ) { ready, _ in ready() }
    let first = try pond.start()
    _ = try await first.report

    let second = try await first.resumed()
    let report = try await second.report

    #expect(report.succeeded(load) && report.skipped(skipped))
    #expect(report.record(of: database)?.keptFrom == first.identifier)
    #expect(calls.entries == ["database"])
    try await second.shutdown().check()
  }

  /// Tests a service that must stop before `database` is torn down. The new run leaves `database`
  /// out, so the service must be stopped first, and cannot be kept.
  @Test func aServiceIsNotKeptIfWhatItStopsBeforeIsTornDown() async throws {
    let http = pond.service("http", .stopsBefore(.named("database"))) { [journal] ready in
      journal.note("http up")
      ready()
      await ready.stopRequested()
      journal.note("http down")
    }
    pond.pebble(
      "database", when: http.succeeded, teardown: { [journal] in journal.note("database down") }
    ) {}
    let first = try pond.start()
    _ = try await first.report

    let second = try await first.resumed(only: [http])
    _ = try await second.report

    #expect(journal.entries == ["http up", "http down", "database down", "http up"])
    try await second.shutdown().check()
  }

  /// Checks that the first run cannot be resumed while a cancelled second run is being torn down.
  /// All that is still to be undone in the second run is a late output.
  @Test func nothingIsResumedWhileACancelledRunAfterItIsTornDown() async throws {
    let (clock, lateCalls, slowCalls) = (AlarmClock(), Attempts(failing: 1), Attempts(failing: 1))
    let (isSlow, mayReturn, isClosing, mayClose) = (Gate(), Gate(), Gate(), Gate())
    pond.pebble(
      "late", .timeout(.seconds(1)),
      teardown: { (_: Int) in
        isClosing.open()
        await mayClose.passed()
      }
    ) {
      let call = try lateCalls.next()
      await mayReturn.passed()
      return call
    }
    pond.pebble("slow") {
      _ = try slowCalls.next()
      isSlow.open()
      try await untilCancelled()
    }
    let first = try pond.start()
    _ = try await first.report
    let second = try await first.resumed(clock: clock)
    await isSlow.passed()
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    try await until { second.core.storage.state.status(of: 0) == .failed }
    mayReturn.open()
    await isClosing.passed()
    second.cancel()
    try await until {
      second.core.life.read { if case .stopping = $0.run.phase { true } else { false } }
    }

    await #expect(throws: PondError.self) { try await first.resumed() }
    mayClose.open()
    _ = try await second.report
    let third = try await first.resumed()
    try await third.shutdown().check()
  }
}
