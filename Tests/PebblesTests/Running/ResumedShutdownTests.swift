import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests of the services and outputs of resumed runs: the run that owns them, and the time at which
/// they are torn down.
@Suite(.watched) struct ResumedShutdownTests {
  private let pond = Pond("boot")
  private let journal = Logbook<String>()

  private func opening(
    _ name: String, when condition: Condition = .always, failing count: Int = 0
  ) -> Pebble<Int> {
    let attempts = Attempts(failing: count)
    return pond.pebble(
      name, when: condition, teardown: { [journal] in journal.note("\(name) down \($0)") }
    ) { [journal] in
      let attempt = try attempts.next()
      journal.note("\(name) up \(attempt)")
      return attempt
    }
  }

  @Test(arguments: [0, 1]) func toShutDownEitherShutsDownTheNewOneFirst(which: Int) async throws {
    let store = opening("store")
    let index = opening("index", when: store.succeeded, failing: 1)
    _ = opening("search", when: index.succeeded)
    let first = try pond.start()
    _ = try await first.report
    let second = try await first.resumed()
    _ = try await second.report
    #expect(journal.entries == ["store up 1", "index up 2", "search up 1"])

    let shutdown = try await [first, second][which].shutdown()

    #expect(
      journal.entries.suffix(3) == ["search down 1", "index down 2", "store down 1"])
    #expect(shutdown.records.map(\.pebble) == ["search", "index", "store"])
    try shutdown.check()
    #expect(first.status.phase == .shutDown || first.status.phase == .failed)
    #expect(second.status.phase == .shutDown)
  }

  @Test func bothAreShutDownAtOnce() async throws {
    let store = opening("store")
    _ = opening("index", when: store.succeeded, failing: 1)
    let first = try pond.start()
    _ = try await first.report
    let second = try await first.resumed()
    _ = try await second.report

    try await withThrowingTaskGroup { group in
      for run in [first, second, first, second] {
        group.addTask { try await run.shutdown() }
      }
      try await group.waitForAll()
    }

    #expect(journal.entries.suffix(2) == ["index down 2", "store down 1"])
    #expect(journal.entries.count == 4)
  }

  @Test func whatIsNotKeptIsTornDownFirstInTheOrderOfAShutdown() async throws {
    let fails = Attempts(failing: 1)
    let launches = pond.pebble("launches") { try fails.next() }
    let cached = opening("cached", when: launches.failed)
    _ = opening("shown", when: cached.succeeded)
    let first = try pond.start()
    _ = try await first.report

    let second = try await first.resumed()
    #expect(
      journal.entries == ["cached up 1", "shown up 1", "shown down 1", "cached down 1"])
    _ = try await second.report
    let shutdown = try await second.shutdown()

    #expect(journal.entries.count == 4)
    #expect(shutdown.records.map(\.pebble) == ["shown", "cached"])
  }

  @Test func aServiceThatIsUpGoesOnAndIsStoppedOnce() async throws {
    let flaky = Attempts(failing: 1)
    let server = pond.service("server") { [journal] (ready: ServiceReady<Int>) in
      journal.note("server up")
      ready(8080)
      await ready.stopRequested()
      journal.note("server down")
    }
    let open = pond.pebble("open", needs: server) { [journal] port in
      _ = try flaky.next()
      journal.note("open \(port)")
    }
    let first = try pond.start()
    _ = try await first.report

    let second = try await first.resumed()
    let report = try await second.report

    #expect(journal.entries == ["server up", "open 8080"])
    #expect(report.record(of: server)?.keptFrom == first.identifier)
    #expect(report.succeeded(open))
    #expect(second.status.running.map(\.name) == ["server"])
    try await second.shutdown().check()
    #expect(journal.entries.last == "server down")
    #expect(report.record(of: server)?.serviceEnd?.wasAsked == true)
  }

  @Test func aServiceThatGoesDownEndsBothRuns() async throws {
    let flaky = Attempts(failing: 1)
    let end = Gate()
    let server = pond.service("server") { ready in
      ready()
      await end.passed()
      throw Breakdown("out of memory")
    }
    _ = opening("index", when: server.succeeded)
    let flakyOne = pond.pebble("flaky") { try flaky.next() }
    let first = try pond.start()
    _ = try await first.report
    let second = try await first.resumed()
    let report = try await second.report
    #expect(report.succeeded(flakyOne))

    end.open()
    let after = try await second.reportAfterShutdown()
    _ = try await first.reportAfterShutdown()

    #expect(after.record(of: server)?.isServiceDown == true)
    #expect(after.unhandledFailures.map(\.name) == ["server"])
    #expect(throws: RunFailed.self) { try after.check() }
    #expect(journal.entries == ["index up 1", "index down 1"])
  }

  @Test func aServiceThatIsCalledAgainHandsItsLatestOutputToTheNewRun() async throws {
    let (goDown, mayComeUp, flaky) = (Gate(), Gate(), Attempts(failing: 1))
    let calls = Attempts(failing: 0)
    let server = pond.service("server", .ending(.restart(.attempts(5)))) {
      (ready: ServiceReady<Int>) in
      let call = try calls.next()
      if call == 2 { await mayComeUp.passed() }
      ready(call)
      guard call == 1 else { return await ready.stopRequested() }
      await goDown.passed()
    }
    let begins = Gate()
    let slow = pond.pebble("slow") {
      if try flaky.next() == 2 { await begins.passed() }
    }
    let reader = pond.pebble("reader", needs: server, slow) { server, _ in server }
    let first = try pond.start()
    _ = try await first.report

    let second = try await first.resumed()
    goDown.open()
    try await until { calls.count == 2 }
    begins.open()
    try await until {
      second.status.pebbles.contains { $0.name == "slow" && "\($0.state)".contains("succeeded") }
    }
    mayComeUp.open()
    let report = try await second.report

    #expect(report[reader] == 2)
    try await first.shutdown().check()
  }

  @Test func aServiceIsKeptWithAllThatRestartWithIt() async throws {
    let calls = Logbook<String>()
    let flaky = Attempts(failing: 1)
    let database = pond.service("database", .ending(.restart(.attempts(3)))) {
      (ready: ServiceReady<Int>) in
      calls.note("database")
      ready(1)
      await ready.stopRequested()
    }
    let api = pond.service("api", .restartsWith(database), needs: database) { ready, _ in
      calls.note("api")
      _ = try flaky.next()
      ready()
      await ready.stopRequested()
    }
    let first = try pond.start()
    #expect(try await first.report.failed(api))

    let second = try await first.resumed()
    #expect(try await second.report.isAllSucceeded)

    #expect(calls.entries == ["database", "api", "database", "api"])
    try await second.shutdown().check()
  }

  @Test func aCancelledRunLeavesWhatItHasKept() async throws {
    let store = opening("store")
    let (flaky, gate) = (Attempts(failing: 1), Gate())
    pond.pebble("flaky", when: store.succeeded) {
      guard try flaky.next() == 2 else { return }
      gate.open()
      try await untilCancelled()
    }
    let first = try pond.start()
    _ = try await first.report
    let second = try await first.resumed()
    await gate.passed()
    second.cancel()
    #expect(try await second.report.isCancelled)
    #expect(journal.entries == ["store up 1"])

    let third = try await first.resumed()
    #expect(try await third.report.isAllSucceeded)
    #expect(try await third.report.record(of: store)?.keptFrom == first.identifier)

    try await third.shutdown().check()
    #expect(journal.entries == ["store up 1", "store down 1"])
  }

  @Test func ofARunThatWasShutDownNothingIsKeptThatWasOpened() async throws {
    let settings = pond.pebble("settings") { 1 }
    let store = opening("store")
    let rows = pond.pebble("rows", needs: store) { $0 }
    let first = try pond.start()
    _ = try await first.report
    try await first.shutdown()

    let second = try await first.resumed()
    let report = try await second.report

    #expect(report.record(of: settings)?.keptFrom == first.identifier)
    #expect(report.record(of: store)?.keptFrom == nil && report[store] == 2)
    #expect(report.record(of: rows)?.keptFrom == nil && report[rows] == 2)
    try await second.shutdown().check()
    #expect(journal.entries == ["store up 1", "store down 1", "store up 2", "store down 2"])
  }

  @Test func aRunIsShutDownWhileItIsResumed() async throws {
    let (isClosing, mayClose) = (Gate(), Gate())
    let flaky = Attempts(failing: 1)
    let launches = pond.pebble("launches") { try flaky.next() }
    pond.pebble(
      "cached", when: launches.failed,
      teardown: { [journal] in
        isClosing.open()
        await mayClose.passed()
        journal.note("cached down")
      }
    ) { () async throws -> Void in }
    let first = try pond.start()
    _ = try await first.report

    let second = Task { try await first.resumed() }
    await isClosing.passed()
    let shutdown = Task { try await first.shutdown() }
    try await until { first.status.phase == .shuttingDown }
    mayClose.open()

    await #expect(throws: PondError.self) { try await second.value }
    try await shutdown.value.check()
    #expect(journal.entries == ["cached down"])
  }

  /// Tests a shorter time limit that is set while the newer run is being torn down. It is too late
  /// for that run, but applies to the earlier one.
  @Test func aShorterLimitThatIsSetLaterAppliesToTheEarlierRun() async throws {
    let (clock, flaky) = (AlarmClock(), Attempts(failing: 1))
    let (isIndexClosing, mayIndexClose) = (Gate(), Gate())
    let (isStoreClosing, mayStoreClose) = (Gate(), Gate())
    let store = pond.pebble(
      "store",
      teardown: {
        isStoreClosing.open()
        await mayStoreClose.passed()
      }
    ) {}
    pond.pebble(
      "index", when: store.succeeded,
      teardown: {
        isIndexClosing.open()
        await mayIndexClose.passed()
      }
    ) { _ = try flaky.next() }
    let first = try pond.start(clock: clock)
    _ = try await first.report
    let second = try await first.resumed(clock: clock)
    _ = try await second.report
    let shutdown = Task { try await second.shutdown(within: .seconds(20)) }
    await isIndexClosing.passed()

    second.core.shutDown(.shutdown, within: .seconds(2))
    mayIndexClose.open()
    await isStoreClosing.passed()
    let limits = [second, first].compactMap { $0.core.life.read { $0.run.shutdownDeadline?.limit } }
    mayStoreClose.open()

    #expect(limits == [.seconds(20), .seconds(2)])
    try await shutdown.value.check()
  }

  @Test func theEarlierRunHasWhatTheNewerOneLeavesOfTheLimitOfBoth() async throws {
    let (clock, flaky) = (AlarmClock(), Attempts(failing: 1))
    let (isClosing, mayClose) = (Gate(), Gate())
    let store = pond.pebble("store", teardown: {}) {}
    pond.pebble(
      "index", when: store.succeeded,
      teardown: {
        isClosing.open()
        await mayClose.passed()
      }
    ) { _ = try flaky.next() }
    let first = Run(try pond.core(clock, nil, nil, 0, shutdownWithin: .seconds(10)))
    first.core.start()
    _ = try await first.report
    let second = try await first.resumed(clock: clock)
    _ = try await second.report
    let shutdown = Task { try await second.shutdown() }
    await isClosing.passed()
    clock.advance(by: .seconds(4))
    mayClose.open()
    try await shutdown.value.check()

    let limits = [second, first].compactMap { $0.core.life.read { $0.run.shutdownDeadline?.limit } }
    #expect(limits == [.seconds(10), .seconds(6)])
  }

  @Test func aBodyCannotWaitForTheShutdownOfTheRunItsOwnResumes() async throws {
    let flaky = Attempts(failing: 1)
    let holder = Mutex<Run?>(nil)
    let refused = Logbook<String>()
    pond.pebble("flaky") {
      guard try flaky.next() == 2 else { return }
      do {
        _ = try await holder.withLock(\.self)?.shutdown()
        Issue.record("waited for itself")
      } catch {
        refused.note("refused")
      }
    }
    let first = try pond.start()
    _ = try await first.report
    holder.withLock { $0 = first }
    let second = try await first.resumed()
    _ = try await second.report
    holder.withLock { $0 = nil }

    #expect(refused.entries == ["refused"])
  }

  @Test func aServiceCannotWaitForTheShutdownOfTheRunItsOwnResumes() async throws {
    let flaky = Attempts(failing: 1)
    let earlier = Promise<Run>()
    let faults = Logbook<[PondError.Fault]>()
    _ = opening("store")
    pond.service("admin") { ready in
      _ = try flaky.next()
      ready()
      let run = await earlier.value()
      do throws(PondError) {
        _ = try await run.reportAfterShutdown()
      } catch {
        faults.note(error.faults)
      }
      await ready.stopRequested()
    }
    let first = try pond.start()
    _ = try await first.report
    let second = try await first.resumed()
    _ = try await second.report
    earlier.fulfill(first)
    try await until { faults.count == 1 }

    #expect(faults.entries == [[.waitsForItself]])
    try await second.shutdown().check()
    #expect(journal.entries == ["store up 1", "store down 1"])
  }

  @Test func aHundredResumptionsHoldNoneOfThoseBetween() async throws {
    struct Between {
      weak let core: RunCore?
    }
    let failing = Attempts(failing: 1_000)
    let store = opening("store")
    pond.pebble("load", when: store.succeeded) { try failing.next() }
    var run = try pond.start()
    _ = try await run.report
    var between: [Between] = []
    for _ in 0..<100 {
      run = try await run.resumed()
      _ = try await run.report
      between.append(Between(core: run.core))
    }

    try await until { between.count { $0.core != nil } <= 2 }

    #expect(failing.count == 101 && journal.entries == ["store up 1"])
    try await run.shutdown().check()
    #expect(journal.entries == ["store up 1", "store down 1"])
  }
}
