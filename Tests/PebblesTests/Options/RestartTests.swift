import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of services that end without being asked to stop, and are restarted or make the run fail.
@Suite(.watched) struct RestartTests {
  private let clock = AlarmClock()
  private let journal = Logbook<String>()

  @Test func aServiceIsCalledAgainAndTellsOfIt() async throws {
    let pond = Pond("server")
    let attempts = Attempts(failing: 0)
    let crash = Gate()
    let server: Pebble<Int> = pond.service(
      "server", .ending(.restart(.attempts(4))),
      teardown: { [journal] in journal.note("close \($0)") }
    ) { ready in
      let attempt = try attempts.next()
      ready(attempt)
      if attempt == 1 {
        await crash.passed()
        throw Breakdown("connection lost")
      }
      await ready.stopRequested()
    }
    let run = try pond.start(clock: clock, eventHistory: 100)
    let report = try await run.report
    crash.open()
    try await until { attempts.count == 2 }
    #expect(run.status.phase == .over)
    #expect(run.status.running.map(\.name) == ["server"])
    try await run.shutdown().check()

    let record = try #require(report.record(of: server))
    #expect(record.restartCount == 1)
    #expect(record.restarts.map(\.attempt) == [2])
    #expect(record.restarts.first?.error as? Breakdown == Breakdown("connection lost"))
    #expect(report[server] == 1)
    #expect(journal.entries == ["close 1", "close 2"])
    #expect(report.exitCode == 0)
    let kinds = await run.events.reduce(into: []) { $0.append($1.kind) }
    #expect(kinds.contains(.serviceRestarted))
  }

  /// Checks that a teardown error of a restarted service is also reported by a run that keeps the
  /// service. The service is up again, so the error is only in its record.
  @Test func anErrorOfItsTeardownCountsAlsoInTheRunThatResumesItsOwn() async throws {
    let pond = Pond("server")
    let (crew, load) = (ServiceCrew(), Attempts(failing: 1))
    let server: Pebble<Int> = pond.service(
      "server", .ending(.restart(.attempts(4))),
      teardown: { (call: Int) in if call == 1 { throw Breakdown("no reply") } }
    ) { ready in try await crew.run("server", ready) }
    pond.pebble("load") { _ = try load.next() }
    let first = try pond.start(clock: clock)
    let before = try #require(try await first.report.record(of: server))
    crew.crash("server")
    try await until {
      crew.isUp("server", 2) && first.core.life.read { $0.isServiceUp(0) }
        && !before.lateTeardownErrors.isEmpty
    }

    let second = try await first.resumed(clock: clock)
    let report = try await second.report

    let record = try #require(report.record(of: server))
    #expect(report.isAllSucceeded && record.keptFrom == first.identifier)
    #expect(record.lateTeardownErrors.map { "\($0)" } == ["no reply"])
    #expect(report.exitCode == 1)
    try await second.shutdown().check()
    #expect(report.exitCode == 1)
  }

  @Test func itsCallsAreNumberedOnFromTheAttemptsToBeReadyAtFirst() async throws {
    let pond = Pond("server")
    let attempts = Attempts(failing: 1)
    let crash = Gate()
    let server = pond.service(
      "server", .retry(.attempts(2)), .ending(.restart(.attempts(4)))
    ) { ready in
      let call = try attempts.next()
      ready()
      guard call == 2 else { return await ready.stopRequested() }
      await crash.passed()
      throw Breakdown()
    }
    let run = try pond.start(clock: clock)
    let report = try await run.report
    crash.open()
    try await until { attempts.count == 3 }
    try await run.shutdown().check()

    #expect(report.record(of: server)?.restarts.map(\.attempt) == [3])
  }

  @Test func whatIsAroundAServiceAndFailsAfterItTearsNothingDown() async throws {
    let pond = Pond(
      "server",
      around: { _, body in
        try await body()
        throw Breakdown("around")
      })
    let _: Pebble<Int> = pond.service(
      "server", teardown: { [journal] in journal.note("close \($0)") }
    ) { ready in
      ready(1)
      await ready.stopRequested()
    }
    let run = try pond.start()
    _ = try await run.report
    try await run.shutdown().check()

    #expect(journal.entries == ["close 1"])
  }

  @Test func oneThatIsRestartedInVainShutsTheRunDown() async throws {
    let pond = Pond("server")
    let attempts = Attempts(failing: 0)
    let policy = RetryPolicy.backoff(
      attempts: 3, initial: .seconds(1), factor: 2, jitter: .none)
    let server = pond.service("server", .ending(.restart(policy))) { ready in
      if try attempts.next() == 1 { ready() }
      throw Breakdown()
    }
    pond.pebble("database", teardown: { [journal] in journal.note("undo") }) {}
    let run = try pond.start(clock: clock)
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    await clock.asleep(1)
    clock.advance(by: .seconds(2))
    let report = try await run.reportAfterShutdown()

    #expect(clock.sleeps.entries == [.seconds(1), .seconds(2)])
    #expect(attempts.count == 3)
    #expect(report.record(of: server)?.isServiceDown == true)
    #expect(report.unhandledFailures.map(\.name) == ["server"])
    #expect(journal.entries == ["undo"])
    #expect(report.exitCode == 1)
  }

  @Test func oneThatIsNotReadyInTimeWhenItIsRestartedIsCalledOnceMore() async throws {
    let pond = Pond("server")
    let attempts = Attempts(failing: 0)
    let server = pond.service(
      "server", .timeout(.seconds(5)), .ending(.restart(.attempts(6)))
    ) { ready in
      switch try attempts.next() {
      case 1:
        ready()
        throw Breakdown()
      case 2:
        try await untilCancelled()
      default:
        ready()
        await ready.stopRequested()
      }
    }
    let run = try pond.start(clock: clock)
    let report = try await run.report
    try await until { attempts.count == 2 }
    await clock.asleep(1)
    clock.advance(by: .seconds(5))
    try await until { attempts.count == 3 }
    #expect(run.status.phase == .over)
    try await run.shutdown().check()

    let restarts = try #require(report.record(of: server)).restarts
    #expect(restarts.map(\.attempt) == [2, 3])
    let timeout = try #require(restarts.last?.error as? PebbleTimeout)
    #expect(timeout.limit == .seconds(5))
  }

  /// Checks that a service stays down if its body ignores the time limit when it is restarted,
  /// because the body cannot be called again while it is still running.
  @Test func oneThatIgnoresItsTimeoutWhenItIsRestartedIsDown() async throws {
    let pond = Pond("server")
    let attempts = Attempts(failing: 0)
    let stuck = Gate()
    let server: Pebble<Int> = pond.service(
      "server", .timeout(.seconds(5)), .stopWithin(.seconds(1)), .ending(.restart(.attempts(6))),
      teardown: { [journal] in journal.note("close \($0)") }
    ) { ready in
      let attempt = try attempts.next()
      if attempt > 1 { await stuck.passed() }
      ready(attempt)
      if attempt == 1 { throw Breakdown() }
      await ready.stopRequested()
    }
    let run = try pond.start(clock: clock)
    try await until { attempts.count == 2 }
    // Its time, and as long again for it to obey.
    for _ in 0..<2 {
      await clock.asleep(1)
      clock.advance(by: .seconds(5))
    }
    // What the teardown has for a service: to stop, and to end once it is cancelled.
    for _ in 0..<2 {
      await clock.asleep(1)
      clock.advance(by: .seconds(1))
    }
    let report = try await run.reportAfterShutdown()
    #expect(attempts.count == 2)
    #expect(report.record(of: server)?.isServiceDown == true)
    #expect(report.exitCode == 1)
    #expect(report.shutdown?.failures.first?.error as? ServiceError == .didNotStop)

    stuck.open()
    try await until { journal.count == 2 }
    #expect(journal.entries == ["close 1", "close 2"])
  }

  /// Checks that a pebble that needs two services does not take the only place while one of them is
  /// still down. The other pebble needs only the service that is up.
  @Test func whatWaitsForTwoServicesDoesNotStartWhenOneOfThemIsUpAgain() async throws {
    let pond = Pond("boot", maxConcurrent: 1)
    let crew = ServiceCrew()
    let services = ["database", "queue"].map { name -> Pebble<Int> in
      pond.service(name, .ending(.restart(.attempts(4)))) { ready in
        try await crew.run(name, ready)
      }
    }
    let (database, queue) = (services[0], services[1])
    let (mayStart, hasRead) = (Gate(), Gate())
    let late = pond.pebble("late", when: database.succeeded && queue.succeeded) {
      await mayStart.passed()
    }
    let both = pond.pebble(
      "both", .priority(1), needs: database, queue, when: late.succeeded
    ) { [$0, $1] }
    pond.pebble("one", needs: database, when: late.succeeded) { _ in hasRead.open() }
    for name in ["database", "queue"] { crew.holdStart(name, 2) }
    let run = try pond.start(clock: clock)
    try await until { run.status.settled == 2 }
    for name in ["database", "queue"] { crew.crash(name) }
    try await until { crew.entries.contains("database 2") && crew.entries.contains("queue 2") }
    mayStart.open()
    try await until { run.core.queue.ordered?.waitingCount == 2 }
    crew.letStart("database", 2)
    try await until { hasRead.isOpen || run.status.running.contains { $0.name == "both" } }

    #expect(hasRead.isOpen)
    crew.letStart("queue", 2)
    let report = try await run.report
    #expect(report[both] == [2, 2])
    try await run.shutdown().check()
  }

  @Test func aShutdownEndsTheWaitForARestart() async throws {
    let pond = Pond("server")
    let policy = RetryPolicy.backoff(
      attempts: 3, initial: .seconds(600), maximum: .seconds(600), jitter: .none)
    pond.service("server", .ending(.restart(policy)), .stopWithin(.seconds(60))) { ready in
      ready()
      throw Breakdown()
    }
    let run = try pond.start(clock: clock)
    await clock.asleep(1)

    try await run.shutdown().check()

    #expect(try await run.report.exitCode == 0)
  }

  /// Checks a service that ends during a shutdown, before it is asked to stop, because the service
  /// that must stop first is still draining.
  @Test func oneThatEndsDuringAShutdownIsNotCalledAgain() async throws {
    let pond = Pond("server")
    let attempts = Attempts(failing: 0)
    let (crash, isDraining, mayEnd) = (Gate(), Gate(), Gate())
    let database = pond.service("database", .ending(.restart(.attempts(4)))) { ready in
      let attempt = try attempts.next()
      ready()
      guard attempt == 1 else { return await ready.stopRequested() }
      await crash.passed()
      throw Breakdown()
    }
    pond.service("http", .stopWithin(.seconds(60)), when: database.succeeded) { ready in
      ready()
      await ready.stopRequested()
      isDraining.open()
      await mayEnd.passed()
    }
    let run = try pond.start(clock: clock)
    let report = try await run.report
    async let shutdown = run.shutdown()
    await isDraining.passed()
    crash.open()
    try await until { run.core.life.read { $0.attempts[0] == nil } || attempts.count > 1 }
    for _ in 0..<100 { await Task.yield() }
    mayEnd.open()
    try await shutdown.check()

    #expect(attempts.count == 1)
    #expect(report.exitCode == 0)
  }

  @Test func endsAreCountedAnewAfterALongTimeWell() async throws {
    let pond = Pond("server")
    let crashes = (0..<4).map { _ in Gate() }
    let attempts = Attempts(failing: 0)
    let up = Logbook<Int>()
    pond.service(
      "server", .ending(.restart(.attempts(2), resetAfter: .seconds(60)))
    ) { ready in
      let attempt = try attempts.next()
      ready()
      up.note(attempt)
      await crashes[attempt - 1].passed()
    }
    let run = try pond.start(clock: clock)
    for attempt in 1...3 {
      try await until { up.count == attempt }
      clock.advance(by: .seconds(60))
      crashes[attempt - 1].open()
    }
    try await until { up.count == 4 }
    // Not long enough this time.
    crashes[3].open()
    let report = try await run.reportAfterShutdown()

    #expect(report.record(named: "server")?.restartCount == 3)
    #expect(report.record(named: "server")?.isServiceDown == true)
  }

  @Test(arguments: [ServiceEnding.ignore, .shutDown, .restart(.attempts(1))])
  func anUnaskedEndIsAFailureWhateverItMeans(ending: ServiceEnding) async throws {
    let pond = Pond("server", onFailure: .cancelAll)
    let crash = Gate()
    pond.service("http", .ending(ending)) { ready in
      ready()
      await crash.passed()
      throw Breakdown("socket died")
    }
    let run = try pond.start()
    let report = try await run.report
    crash.open()
    try await until { report.record(named: "http")?.isServiceDown == true }
    try await until { run.status.phase == .failed }

    #expect(report.exitCode == 1)
    #expect(throws: RunFailed.self) { try report.check() }
    #expect("\(report)".contains("socket died"))
    try await run.shutdown()
    #expect(run.status.phase == .failed)
  }

  @Test func aPolicyThatCannotBeMeantIsAFault() async throws {
    let pond = Pond("server")
    pond.service("http", .ending(.restart(.attempts(0), resetAfter: .seconds(-1)))) { ready in
      ready()
    }

    let error = await #expect(throws: PondError.self) { try await pond.run() }

    #expect(error?.faults.count == 2)
  }
}
