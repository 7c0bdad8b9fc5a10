import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of services that restart together with another service.
@Suite(.watched) struct RestartsWithTests {
  private let crew = ServiceCrew()
  private let clock = AlarmClock()
  private let again = PebbleTrait.ending(.restart(.attempts(9)))

  // database ──▶ cache ──▶ http, and database ──▶ http
  private func boot(_ traits: PebbleTrait...) -> (Pond, Pebble<Int>, Pebble<Int>, Pebble<Int>) {
    let pond = Pond("boot")
    let database: Pebble<Int> = pond.service(
      "database", again, .traits(traits), teardown: crew.closing("database")
    ) { [crew] ready in try await crew.run("database", ready) }
    let cache: Pebble<Int> = pond.service(
      "cache", .restartsWith(database), needs: database, teardown: crew.closing("cache")
    ) { [crew] ready, database in try await crew.run("cache", ready, with: database) }
    let http: Pebble<Int> = pond.service(
      "http", .restartsWith(cache, database), needs: database, cache,
      teardown: crew.closing("http")
    ) { [crew] ready, database, cache in
      try await crew.run("http", ready, with: database, cache)
    }
    return (pond, database, cache, http)
  }

  @Test func theyAreStoppedLastFirstAndCalledAgainWithTheNewOutput() async throws {
    let (pond, database, cache, http) = boot()
    let run = try pond.start(eventHistory: 200)
    let report = try await run.report
    crew.crash("database")
    try await until { crew.isUp("http", 2) }

    #expect(
      crew.entries == [
        "database 1", "cache 1 with [1]", "http 1 with [1, 1]",
        "database 1 crashes", "http 1 stops", "close http 1", "cache 1 stops", "close cache 1",
        "close database 1", "database 2", "cache 2 with [2]", "http 2 with [2, 2]",
      ])
    #expect(run.status.phase == .over)
    try await run.shutdown().check()
    #expect(
      crew.entries.suffix(6) == [
        "http 2 stops", "close http 2", "cache 2 stops", "close cache 2", "database 2 stops",
        "close database 2",
      ])
    #expect([report[database], report[cache], report[http]] == [1, 1, 1])
    #expect([database, cache, http].map { report.record(of: $0)?.restartCount } == [1, 1, 1])
    #expect(report.record(of: http)?.restarts.first?.error == nil)
    #expect(report.unhandledFailures.isEmpty)
    #expect(report.exitCode == 0)
  }

  @Test func howLongOneWasUpIsToldOnlyOnceItIsDown() async throws {
    let (pond, _, _, _) = boot()
    let run = try pond.start()
    let report = try await run.report
    crew.crash("database")
    try await until { crew.isUp("http", 2) }

    #expect(!report.description.contains("up for "))
    try await run.shutdown().check()
    #expect(report.description.contains("up for "))
  }

  @Test func aFailureOfTheirsWhileItIsDownIsNone() async throws {
    let (pond, _, cache, http) = boot()
    crew.failsWhenStopped("cache")
    let run = try pond.start()
    let report = try await run.report
    // The connections break, and http is the last to notice.
    crew.holdStop("http")
    crew.crash("database")
    try await until { crew.entries.contains("http 1 stops") }
    crew.crash("cache")
    try await until { crew.entries.contains("cache 1 crashes") }
    crew.letStop("http")
    try await until { crew.isUp("http", 2) }
    try await run.shutdown().check()

    #expect(report.record(of: cache)?.restartCount == 1)
    #expect(report.record(of: http)?.restartCount == 1)
    #expect(report.exitCode == 0)
    #expect(crew.faults == [])
  }

  @Test func whatStartsLaterWaitsAndIsHandedTheLatestOutput() async throws {
    let (pond, database, _, _) = boot()
    let mayStart = Gate()
    let late = pond.pebble("late") { await mayStart.passed() }
    let reader = pond.pebble("reader", needs: database, when: late.succeeded) { $0 }
    let optional = pond.pebble("optional", needs: database.optional, when: late.succeeded) { $0 }
    crew.holdStart("database", 2)
    let run = try pond.start()
    try await until { crew.isUp("http", 1) }
    crew.crash("database")
    try await until { crew.entries.contains("close database 1") }
    mayStart.open()
    try await until { run.limits(of: "reader").isEmpty == false }

    #expect(run.limits(of: "reader").map(\.description) == ["service \"database\""])
    crew.letStart("database", 2)
    let report = try await run.report
    #expect(report[reader] == 2)
    #expect(report[optional] == 2)
    try await run.shutdown().check()
    #expect(crew.faults == [])
  }

  @Test(arguments: [PebbleTrait.retry(.attempts(1)), .traits()])
  func oneThatIsStartingStartsAnewAndThatIsNoAttempt(_ retry: PebbleTrait) async throws {
    let pond = Pond("boot")
    let database: Pebble<Int> = pond.service("database", again) { [crew] ready in
      try await crew.run("database", ready)
    }
    let http: Pebble<Int> = pond.service(
      "http", .restartsWith(database), retry, needs: database
    ) { [crew] ready, database in try await crew.run("http", ready, with: database) }
    crew.holdStart("http", 1)
    let run = try pond.start()
    try await until { crew.entries.contains("http 1 with [1]") }
    crew.crash("database")
    let report = try await run.report

    #expect(report.record(of: http)?.attempts.map { $0.error == nil } == [false, true])
    #expect(
      crew.entries == [
        "database 1", "http 1 with [1]", "database 1 crashes", "http 1 is cancelled", "database 2",
        "http 2 with [2]",
      ])
    #expect(report.exitCode == 0)
    try await run.shutdown().check()
  }

  @Test func oneThatBacksOffIsCalledOnceItIsUp() async throws {
    let pond = Pond("boot")
    let policy = RetryPolicy.backoff(attempts: 2, initial: .seconds(1), jitter: .none)
    let database: Pebble<Int> = pond.service(
      "database", .ending(.restart(.backoff(attempts: 2, initial: .seconds(5), jitter: .none)))
    ) { [crew] ready in try await crew.run("database", ready) }
    pond.service("http", .restartsWith(database), .retry(policy), needs: database) {
      [crew] (ready: ServiceReady<Int>, database) in
      try await crew.run("http", ready, with: database)
    }
    crew.failsToStart("http", 1)
    let run = try pond.start(clock: clock)
    await clock.asleep(1)
    crew.crash("database")
    await clock.asleep(2)
    clock.advance(by: .seconds(1))
    try await until { crew.entries.contains("database 1 crashes") }
    await clock.asleep(1)
    clock.advance(by: .seconds(4))
    let report = try await run.report

    #expect(crew.entries.suffix(2) == ["database 2", "http 2 with [2]"])
    #expect(report.exitCode == 0)
    try await run.shutdown().check()
  }

  @Test func oneWithTwoLeadersIsCalledOnceBothAreUp() async throws {
    let pond = Pond("boot")
    let services = ["database", "queue"].map { name -> Pebble<Int> in
      pond.service(name, again, teardown: crew.closing(name)) { [crew] ready in
        try await crew.run(name, ready)
      }
    }
    let (database, queue) = (services[0], services[1])
    pond.service(
      "http", .restartsWith(database, queue), needs: database, queue,
      teardown: crew.closing("http")
    ) { [crew] (ready: ServiceReady<Int>, database, queue) in
      try await crew.run("http", ready, with: database, queue)
    }
    crew.holdStart("database", 2)
    let run = try pond.start()
    let report = try await run.report
    crew.crash("database")
    try await until { crew.entries.contains("database 2") }
    crew.crash("queue")
    try await until { crew.isUp("queue", 2) }
    crew.letStart("database", 2)
    try await until { crew.isUp("http", 2) }
    try await run.shutdown().check()

    #expect(crew.entries.contains("http 2 with [2, 2]"))
    #expect(report.record(named: "http")?.restartCount == 1)
    #expect(crew.faults == [])
  }

  @Test func oneThatIsCalledAgainIsRecalledIfItsOtherLeaderEnds() async throws {
    let pond = Pond("boot")
    let services = ["database", "queue"].map { name -> Pebble<Int> in
      pond.service(name, again, teardown: crew.closing(name)) { [crew] ready in
        try await crew.run(name, ready)
      }
    }
    let (database, queue) = (services[0], services[1])
    pond.service(
      "http", .restartsWith(database, queue), needs: database, queue,
      teardown: crew.closing("http")
    ) { [crew] (ready: ServiceReady<Int>, database, queue) in
      try await crew.run("http", ready, with: database, queue)
    }
    crew.holdStart("http", 2)
    let run = try pond.start()
    _ = try await run.report
    crew.crash("database")
    try await until { crew.entries.contains("http 2 with [2, 1]") }
    crew.crash("queue")
    try await until { crew.isUp("http", 3) }
    #expect(crew.entries.last == "http 3 with [2, 2]")
    #expect(crew.entries.contains("http 2 is cancelled"))
    let report = try await run.report
    try await run.shutdown().check()
    #expect(report.exitCode == 0)
  }

  @Test func ifItStaysDownTheyStayStoppedAndItAloneIsTheFailure() async throws {
    let pond = Pond("boot")
    let database: Pebble<Int> = pond.service(
      "database", .ending(.restart(.attempts(2))), teardown: crew.closing("database")
    ) { [crew] ready in try await crew.run("database", ready) }
    pond.service("http", .restartsWith(database), needs: database) {
      [crew] (ready: ServiceReady<Int>, database) in
      try await crew.run("http", ready, with: database)
    }
    crew.failsToStart("database", 2)
    let run = try pond.start()
    _ = try await run.report
    crew.crash("database")
    let report = try await run.reportAfterShutdown()

    #expect(report.unhandledFailures.map(\.name) == ["database"])
    #expect(report.exitCode == 1)
    #expect(!crew.entries.contains { $0.hasPrefix("http 2") })
    #expect(crew.faults == [])
  }

  @Test func aFollowerThatStaysDownKeepsItsOwnStoppedAndOthersFromStarting() async throws {
    let pond = Pond("boot")
    let database: Pebble<Int> = pond.service("database", again) { [crew] ready in
      try await crew.run("database", ready)
    }
    let cache: Pebble<Int> = pond.service(
      "cache", .restartsWith(database), .ending(.ignore), needs: database
    ) { [crew] ready, database in try await crew.run("cache", ready, with: database) }
    pond.service("http", .restartsWith(cache), needs: cache) {
      [crew] (ready: ServiceReady<Int>, cache) in
      try await crew.run("http", ready, with: cache)
    }
    let mayStart = Gate()
    let late = pond.pebble("late") { await mayStart.passed() }
    let reader = pond.pebble("reader", needs: cache, when: late.succeeded) { $0 }
    crew.failsToStart("cache", 2)
    let run = try pond.start()
    try await until { crew.isUp("http", 1) }
    crew.crash("database")
    try await until { crew.entries.contains("cache 2 with [2]") }
    mayStart.open()
    let report = try await run.report

    #expect(report.outcome(of: reader).skipReason == .resourceHeld(by: "cache"))
    #expect(report.unhandledFailures.map(\.name) == ["cache"])
    #expect("\(report)".contains(SkipReason.clause(heldBy: "cache")))
    try await run.shutdown().check()
    #expect(!crew.entries.contains { $0.hasPrefix("http 2") })
  }

  @Test func oneThatDoesNotStopIsGivenUp() async throws {
    let pond = Pond("boot")
    let database: Pebble<Int> = pond.service(
      "database", again, teardown: crew.closing("database")
    ) { [crew] ready in try await crew.run("database", ready) }
    pond.service(
      "http", .restartsWith(database), .stopWithin(.seconds(1)), .ending(.ignore),
      needs: database, teardown: crew.closing("http")
    ) { [crew] (ready: ServiceReady<Int>, database) in
      try await crew.run("http", ready, with: database)
    }
    crew.holdStop("http")
    let run = try pond.start(clock: clock)
    let report = try await run.report
    crew.crash("database")
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    try await until { crew.isUp("database", 2) }
    try await until { report.record(named: "http")?.isServiceDown == true }

    #expect(report.record(named: "http")?.serviceEnd?.error as? ServiceError == .didNotStop)
    #expect(report.record(named: "http")?.isStillRunning == true)
    crew.letStop("http")
    try await until { report.record(named: "http")?.isStillRunning == false }
    try await run.shutdown().check()
    #expect(crew.entries.filter { $0 == "close http 1" }.count == 1)
    #expect(report.exitCode == 1)
  }

  @Test func oneThatHasEndedAsItMayIsNotCalledAgain() async throws {
    let pond = Pond("boot")
    let database: Pebble<Int> = pond.service("database", again) { [crew] ready in
      try await crew.run("database", ready)
    }
    let load = pond.service("import", .restartsWith(database), .ending(.mayEnd), needs: database) {
      ready, _ in ready()
    }
    let run = try pond.start()
    let report = try await run.report
    try await until { report.record(of: load)?.serviceEnd != nil }
    crew.crash("database")
    try await until { crew.isUp("database", 2) }
    try await run.shutdown().check()
    #expect(report.record(of: load)?.restartCount == 0)
    #expect(report.exitCode == 0)
  }

  @Test func insideOfAClusterItIsFoundByName() async throws {
    let storage = Pond("storage")
    let database: Pebble<Int> = storage.service("database", again) { [crew] ready in
      try await crew.run("database", ready)
    }
    storage.service("cache", .restartsWith(.named("database")), needs: database) {
      [crew] (ready: ServiceReady<Int>, database) in
      try await crew.run("cache", ready, with: database)
    }
    let pond = Pond("boot")
    pond.add(storage, as: "storage")
    let run = try pond.start()
    _ = try await run.report
    crew.crash("database")
    try await until { crew.isUp("cache", 2) }
    try await run.shutdown().check()
    #expect(crew.entries.contains("cache 2 with [2]"))
  }

  @Test(arguments: Step.allCases)
  func shutDownAtAnyStepEverythingIsClosedOnce(_ step: Step) async throws {
    let (pond, _, _, _) = boot()
    switch step {
    case .draining: crew.holdStop("http")
    case .drainingTheSecond: crew.holdStop("cache")
    case .leaderStarting: crew.holdStart("database", 2)
    case .followerStarting: crew.holdStart("cache", 2)
    case .lastStarting: crew.holdStart("http", 2)
    case .crashed, .again: break
    }
    let run = try pond.start()
    _ = try await run.report
    crew.crash("database")
    switch step {
    case .crashed: break
    case .draining: try await until { crew.entries.contains("http 1 stops") }
    case .drainingTheSecond: try await until { crew.entries.contains("cache 1 stops") }
    case .leaderStarting: try await until { crew.entries.contains("database 2") }
    case .followerStarting: try await until { crew.entries.contains("cache 2 with [2]") }
    case .lastStarting: try await until { crew.entries.contains("http 2 with [2, 2]") }
    case .again: try await until { crew.isUp("database", 2) }
    }
    async let shutdown = run.shutdown()
    try await until { run.status.phase == .shuttingDown || run.status.phase == .shutDown }
    for name in ["http", "cache"] { crew.letStop(name) }
    let down = try await shutdown
    #expect(down.failures.isEmpty)
    #expect(crew.faults == [])
    #expect(crew.openCount == 0)
    let report = try await run.report
    #expect(report.unhandledFailures.filter { $0.name != "database" }.isEmpty)
  }

  enum Step: CaseIterable {
    case crashed, draining, drainingTheSecond, leaderStarting, followerStarting, lastStarting, again
  }
}

extension Run {
  fileprivate func limits(of pebble: String) -> [RunStatus.Limit] {
    status.pebbles.first { $0.name == pebble }?.state.limits ?? []
  }
}
