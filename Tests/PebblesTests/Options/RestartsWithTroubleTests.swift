import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of services that restart with others while something else goes wrong.
@Suite(.watched) struct RestartsWithTroubleTests {
  private let pond = Pond("boot")
  private let crew = ServiceCrew()
  private let clock = AlarmClock()
  private let database: Pebble<Int>

  init() {
    database = pond.service("database", .ending(.restart(.attempts(9)))) { [crew] ready in
      try await crew.run("database", ready)
    }
  }

  @Test func oneThatWasRestartedWithAnotherStillFailsByItself() async throws {
    let cache: Pebble<Int> = pond.service(
      "cache", .restartsWith(database), .ending(.ignore), needs: database
    ) { [crew] ready, database in try await crew.run("cache", ready, with: database) }
    let http: Pebble<Int> = pond.service(
      "http", .restartsWith(database), .ending(.restart(.attempts(9))), needs: database, cache
    ) { [crew] ready, database, cache in
      try await crew.run("http", ready, with: database, cache)
    }
    let run = try pond.start()
    let report = try await run.report
    crew.crash("database")
    try await until { crew.isUp("http", 2) }
    #expect(crew.isUp("cache", 2))
    crew.crash("cache")
    try await until { run.core.life.read { $0.staysDown(1) } }
    crew.crash("http")
    try await until { report.record(of: http)?.isServiceDown == true }

    #expect(report.unhandledFailures.map(\.name) == ["cache", "http"])
    _ = try await run.reportAfterShutdown()
  }

  /// Tests a service that has been up long enough for its restarts to be counted anew when it is
  /// restarted together with another service.
  @Test func theRestartsOfOneThatIsRecalledAreCountedAnew() async throws {
    let http: Pebble<Int> = pond.service(
      "http", .restartsWith(database),
      .ending(.restart(.attempts(2), resetAfter: .seconds(60))), needs: database
    ) { [crew] ready, database in try await crew.run("http", ready, with: database) }
    let run = try pond.start(clock: clock)
    let report = try await run.report
    crew.crash("http")
    try await until { crew.isUp("http", 2) && run.core.life.read { $0.isServiceUp(1) } }
    clock.advance(by: .seconds(60))
    crew.crash("database")
    try await until { crew.isUp("http", 3) }
    crew.crash("http")
    try await until { crew.isUp("http", 4) }

    #expect(report.record(of: http)?.restartCount == 3)
    try await run.shutdown().check()
  }

  /// Tests a service that must be restarted although another service, which would stop before it in
  /// a shutdown, stays up.
  @Test func oneThatIsRecalledDoesNotWaitForOneThatStaysUp() async throws {
    let cache: Pebble<Int> = pond.service("cache", .restartsWith(database), needs: database) {
      [crew] ready, database in try await crew.run("cache", ready, with: database)
    }
    let queue: Pebble<Int> = pond.service("queue", .ending(.restart(.attempts(9)))) {
      [crew] ready in try await crew.run("queue", ready)
    }
    let worker = pond.service("worker", .restartsWith(queue), needs: queue, when: cache.succeeded) {
      [crew] (ready: ServiceReady<Int>, queue) in
      try await crew.run("worker", ready, with: queue)
    }
    crew.holdStop("cache")
    let run = try pond.start(clock: clock)
    let report = try await run.report
    crew.crash("database")
    try await until { run.core.life.read { $0.attempts[1]?.recall != .no } }

    let isAskedToStop = run.core.life.read { $0.attempts[1]?.recall == .stopRequested }
    try #require(isAskedToStop)
    crew.letStop("cache")
    try await until { crew.isUp("cache", 2) }
    #expect(report.record(of: worker)?.restartCount == 0)
    try await run.shutdown().check()
  }

  /// Checks that the time limit of a service does not include the time that it waits for another
  /// service to start.
  @Test func oneThatWaitsForAnotherToStartHasItsWholeTime() async throws {
    pond.service("http", .restartsWith(database), .timeout(.seconds(2)), needs: database) {
      [crew] (ready: ServiceReady<Int>, database) in
      try await crew.run("http", ready, with: database)
    }
    crew.holdStart("database", 2)
    crew.holdStart("http", 2)
    let run = try pond.start(clock: clock)
    _ = try await run.report
    crew.crash("database")
    try await until { crew.entries.contains("database 2") }
    clock.advance(by: .seconds(3))
    crew.letStart("database", 2)
    try await until { crew.entries.contains("http 2 with [2]") }
    crew.letStart("http", 2)

    try await until { crew.isUp("http", 2) }
    try await run.shutdown().check()
  }

  /// Tests a service that ignores its cancellation and becomes ready with an output that is no
  /// longer valid. The pebble that needs its output must wait for its next call.
  @Test func whatTakesTheOutputOfOneThatIsToStartAnewWaitsForItsNextCall() async throws {
    let (isCalled, comesUp) = (Gate(), Gate())
    let http: Pebble<Int> = pond.service("http", .restartsWith(database), needs: database) {
      [crew] ready, database in
      isCalled.open()
      await comesUp.passed()
      try await crew.run("http", ready, with: database)
    }
    let reader = pond.pebble("reader", needs: http) { $0 }
    crew.holdStop("http")
    let run = try pond.start(clock: clock)
    await isCalled.passed()
    crew.crash("database")
    try await until { run.core.life.read { $0.attempts[1]?.recall == .pending } }
    comesUp.open()
    try await until { run.status.pebbles[2].state.kind != .waiting }

    #expect(run.status.pebbles[2].state.limits.map(\.description) == ["service \"http\""])
    crew.letStop("http")
    let report = try await run.report
    #expect(report[reader] == 2)
    #expect(report.record(of: http)?.restartCount == 1)
    try await run.shutdown().check()
  }

  /// Tests a service that is cancelled because an input is no longer valid, and that ends only
  /// after its time limit.
  @Test func oneThatIsToStartAnewDoesSoAlthoughItsTimeIsUp() async throws {
    let (isCalled, ends) = (Gate(), Gate())
    let calls = Attempts(failing: 0)
    let http = pond.service(
      "http", .restartsWith(database), .timeout(.seconds(2)), needs: database
    ) { ready, _ in
      if try calls.next() == 1 {
        isCalled.open()
        await ends.passed()
        throw Breakdown()
      }
      ready()
      await ready.stopRequested()
    }
    let run = try pond.start(clock: clock)
    await isCalled.passed()
    crew.crash("database")
    try await until { run.core.life.read { $0.attempts[1]?.recall == .pending } }
    await clock.asleep(1)
    clock.advance(by: .seconds(2))
    try await until { run.core.life.read { $0.attempts[1]?.wasLate == true } }
    ends.open()
    let report = try await run.report

    #expect(report.succeeded(http))
    #expect(calls.count == 2)
    try await run.shutdown().check()
  }

  @Test func oneThatIsToStartAnewIsNotAwaitedBeyondTheDeadline() async throws {
    let (isCalled, ends) = (Gate(), Gate())
    pond.service("http", .restartsWith(database), .stopWithin(.seconds(4)), needs: database) {
      ready, _ in
      isCalled.open()
      await ends.passed()
      ready()
    }
    let run = try pond.start(clock: clock, within: .seconds(5))
    await isCalled.passed()
    crew.crash("database")
    try await until { clock.sleeps.entries.contains(.seconds(4)) }
    clock.advance(by: .seconds(4))
    try await until { clock.sleeps.entries.contains(.seconds(1)) }
    clock.advance(by: .seconds(1))
    let report = try await run.report

    #expect(report.cancellation == .deadlinePassed)
    #expect(report.makespan == .seconds(5))
    ends.open()
    try await run.shutdown()
  }
}
