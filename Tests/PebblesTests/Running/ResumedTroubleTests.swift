import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests of resumed runs during which something else goes wrong.
@Suite(.watched) struct ResumedTroubleTests {
  private let pond = Pond("boot")
  private let journal = Logbook<String>()
  private let flaky = Attempts(failing: 1)

  // MARK: Services

  @Test func aReaderOfAKeptServiceThatStaysDownIsSkipped() async throws {
    let (dies, goesOn) = (Gate(), Gate())
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
    let slow = pond.pebble("slow") {
      _ = try flaky.next()
      await goesOn.passed()
    }
    let reader = pond.pebble("reader", needs: cache, slow) { _, _ in }
    let first = try pond.start()
    _ = try await first.report
    let second = try await first.resumed()
    dies.open()
    try await until { first.core.life.read { $0.staysDown(1) } }
    goesOn.open()

    let report = try await second.report
    #expect(report.succeeded(slow) && report.skipped(reader))
    try await second.shutdown()
  }

  @Test func theExplanationOfAKeptServiceSaysThatItHasEnded() async throws {
    let dies = Gate()
    let cache = pond.service("cache", .ending(.ignore)) { ready in
      ready()
      await dies.passed()
      throw Breakdown()
    }
    pond.pebble("load") { _ = try flaky.next() }
    let first = try pond.start()
    _ = try await first.report
    let second = try await first.resumed()
    let record = try #require(try await second.report.record(of: cache))
    dies.open()
    try await until { record.isServiceDown }

    // The time of the end is one of the first run.
    let clause = "but it ended without having been asked to: it broke down"
    #expect(record.explanation.hasSuffix("\(first.identifier) and was kept, \(clause)"))
    try await second.shutdown()
  }

  @Test func whatAKeptServiceStopsBeforeIsTornDownAfterIt() async throws {
    pond.service("web", .stopsBefore(.named("store"))) { [journal] ready in
      journal.note("web up")
      ready()
      await ready.stopRequested()
      journal.note("web stops")
    }
    pond.pebble("store", teardown: { [journal] in journal.note("store down") }) {
      _ = try flaky.next()
    }
    let first = try pond.start()
    _ = try await first.report
    let second = try await first.resumed()
    _ = try await second.report
    try await second.shutdown().check()

    #expect(journal.entries == ["web up", "web stops", "web up", "web stops", "store down"])
  }

  /// Checks that a pebble that took the output of a service before the service was restarted is not
  /// kept, even on a clock that stands still, according to which both happened at the same time.
  @Test(arguments: [false, true])
  func whatWasHandedTheOldOutputOfAServiceIsNotKept(isStandingStill: Bool) async throws {
    let numbers = Attempts(failing: 0)
    let dies = Gate()
    let database = pond.service("database", .ending(.restart(.attempts(3)))) {
      (ready: ServiceReady<Int>) in
      let number = try numbers.next()
      ready(number)
      guard number == 1 else { return await ready.stopRequested() }
      await dies.passed()
      throw Breakdown()
    }
    let repository = pond.pebble("repository", needs: database) { "of \($0)" }
    let use = pond.pebble("use", needs: repository, database) { repository, number in
      _ = try flaky.next()
      return "\(repository) with \(number)"
    }
    let first = isStandingStill ? try pond.start(clock: AlarmClock()) : try pond.start()
    _ = try await first.report
    dies.open()
    try await until { numbers.count == 2 && first.core.life.read { $0.isServiceUp(0) } }

    let second = try await first.resumed()
    #expect(try await second.report[use] == "of 2 with 2")
    try await second.shutdown()
  }

  /// Checks that a pebble is not kept if it took the output of a service between the first restart
  /// of that service and the second one.
  @Test func theLatestRestartDecidesWhetherAnOutputIsOld() async throws {
    let numbers = Attempts(failing: 0)
    let deaths = [Gate(), Gate()]
    let begins = Gate()
    let database = pond.service("database", .ending(.restart(.attempts(5)))) {
      (ready: ServiceReady<Int>) in
      let number = try numbers.next()
      ready(number)
      guard number <= deaths.count else { return await ready.stopRequested() }
      await deaths[number - 1].passed()
      throw Breakdown()
    }
    let slow = pond.pebble("slow") { await begins.passed() }
    let repository = pond.pebble("repository", needs: database, when: slow.succeeded) { "of \($0)" }
    let use = pond.pebble("use", needs: repository, database) { repository, number in
      _ = try flaky.next()
      return "\(repository) with \(number)"
    }
    let first = try pond.start()
    deaths[0].open()
    try await until { numbers.count == 2 && first.core.life.read { $0.isServiceUp(0) } }
    begins.open()
    #expect(try await first.report[repository] == "of 2")
    deaths[1].open()
    try await until { numbers.count == 3 && first.core.life.read { $0.isServiceUp(0) } }

    let second = try await first.resumed()
    #expect(try await second.report[use] == "of 3 with 3")
    try await second.shutdown()
  }

  /// Checks that a pebble of the second run is not kept if it took the output of a service of the
  /// first run before that service was restarted.
  @Test func anOutputIsOldAlsoIfAnotherRunHasTakenIt() async throws {
    let (numbers, uses, dies) = (Attempts(failing: 0), Attempts(failing: 1), Gate())
    let database = pond.service("database", .ending(.restart(.attempts(3)))) {
      (ready: ServiceReady<Int>) in
      let number = try numbers.next()
      ready(number)
      guard number == 1 else { return await ready.stopRequested() }
      await dies.passed()
      throw Breakdown()
    }
    let begins = pond.pebble("begins") { _ = try flaky.next() }
    let repository = pond.pebble("repository", needs: database, when: begins.succeeded) {
      "of \($0)"
    }
    let use = pond.pebble("use", needs: repository, database) { repository, number in
      _ = try uses.next()
      return "\(repository) with \(number)"
    }
    let first = try pond.start()
    _ = try await first.report
    let second = try await first.resumed()
    #expect(try await second.report[repository] == "of 1")
    dies.open()
    try await until { numbers.count == 2 && first.core.life.read { $0.isServiceUp(0) } }

    let third = try await second.resumed()
    #expect(try await third.report[use] == "of 2 with 2")
    try await third.shutdown()
  }

  /// Checks that a service is kept if it was restarted together with another one, whose new output
  /// it has received.
  @Test func whatWasRestartedWithAServiceIsKeptWithIt() async throws {
    let crew = ServiceCrew()
    let database: Pebble<Int> = pond.service("database", .ending(.restart(.attempts(3)))) {
      ready in try await crew.run("database", ready)
    }
    let cache: Pebble<Int> = pond.service("cache", .restartsWith(database), needs: database) {
      ready, database in try await crew.run("cache", ready, with: database)
    }
    let first = try pond.start()
    _ = try await first.report
    crew.crash("database")
    try await until {
      crew.isUp("cache", 2)
        && first.core.life.read { $0.isServiceUp(0) && $0.isServiceUp(1) }
    }

    let second = try await first.resumed()
    let report = try await second.report

    #expect(report.record(of: database)?.keptFrom == first.identifier)
    #expect(report.record(of: cache)?.keptFrom == first.identifier)
    #expect(crew.entries.suffix(2) == ["database 2", "cache 2 with [2]"])
    try await second.shutdown().check()
  }

  // MARK: Waiting for oneself

  @Test func aFallbackServiceCannotResumeTheRunThatStopsIt() async throws {
    let holder = Mutex<Run?>(nil)
    let begins = Gate()
    let launches = pond.pebble("launches") { _ = try flaky.next() }
    pond.service("offline", when: launches.failed) { [journal] ready in
      ready()
      await begins.passed()
      do {
        _ = try await holder.withLock(\.self)?.resumed()
        journal.note("resumed")
      } catch {
        journal.note("refused")
      }
      await ready.stopRequested()
    }
    let first = try pond.start()
    _ = try await first.report
    holder.withLock { $0 = first }
    begins.open()
    try await until { journal.count == 1 }
    holder.withLock { $0 = nil }

    #expect(journal.entries == ["refused"])
    // From elsewhere it can be resumed afterwards.
    let second = try await first.resumed()
    #expect(try await second.report.succeeded(launches))
  }

  @Test func aLateBodyCannotWaitForTheRunThatWaitsForIt() async throws {
    let clock = AlarmClock()
    let holder = Mutex<Run?>(nil)
    let begins = Gate()
    let calls = Attempts(failing: 0)
    pond.pebble("load", .timeout(.seconds(1))) { [journal] in
      guard try calls.next() == 1 else { return }
      await begins.passed()
      do {
        let second = try await holder.withLock(\.self)?.resumed()
        holder.withLock { $0 = second }
        _ = try await second?.report
        journal.note("waited")
      } catch {
        journal.note("refused")
      }
    }
    let first = try pond.start(clock: clock)
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    _ = try await first.report
    holder.withLock { $0 = first }
    begins.open()
    try await until { journal.count == 1 }

    #expect(journal.entries == ["refused"])
    let second = try #require(holder.withLock { $0.take() })
    #expect(try await second.report.isAllSucceeded)
  }

  // MARK: What is kept

  @Test func aRunInsideThatIsOverKeepsItsPebbleWhoeverHoldsTheFirstRun() async throws {
    let failing = Attempts(failing: 2)
    pond.pebble("login") { [journal] in
      journal.note("login")
      let inner = Pond("inner")
      inner.pebble("token") {}
      _ = try await inner.run()
    }
    pond.pebble("load") { _ = try failing.next() }
    var run = try pond.start()
    _ = try await run.report
    for _ in 0..<2 {
      run = try await run.resumed()
      _ = try await run.report
    }

    #expect(journal.entries == ["login"])
    #expect(try await run.report.isAllSucceeded)
  }

  @Test func whatWasHandedAnotherReasonIsNotKept() async throws {
    let isEnabled = Gate()
    let base = pond.pebble("base") {}
    let extra = pond.pebble("extra", .enabled { isEnabled.isOpen }, when: base.failed) {}
    pond.pebble("reads", needs: extra.outcome) { [journal] in journal.note("\($0)") }
    pond.pebble("load") { _ = try flaky.next() }
    let first = try pond.start()
    _ = try await first.report
    isEnabled.open()
    _ = try await first.resumed().report

    #expect(journal.count == 2)
    #expect(Set(journal.entries).count == 2)
  }

  // MARK: Teardowns

  @Test(arguments: [false, true])
  func aTeardownThatFailsForTheNewRunIsInItsShutdown(isFirstHeld: Bool) async throws {
    let load = pond.pebble("load") { _ = try flaky.next() }
    pond.pebble("cached", when: load.failed, teardown: { throw Breakdown() }) {}
    var run = try pond.start()
    let first = isFirstHeld ? run : nil
    _ = try await run.report
    run = try await run.resumed()
    _ = try await run.report

    let shutdown = try await run.shutdown()
    #expect(shutdown.records.map(\.pebble) == ["cached"])
    #expect(throws: TeardownFailures.self) { try shutdown.check() }
    withExtendedLifetime(first) {}
  }

  @Test func aTeardownThatFailsWhileTheRunIsShutDownIsToldOnce() async throws {
    let (isClosing, mayClose) = (Gate(), Gate())
    let load = pond.pebble("load") { _ = try flaky.next() }
    pond.pebble(
      "cached", when: load.failed,
      teardown: {
        isClosing.open()
        await mayClose.passed()
        throw Breakdown()
      }
    ) {}
    let first = try pond.start()
    _ = try await first.report
    let second = Task { try await first.resumed() }
    await isClosing.passed()
    let shutdown = Task { try await first.shutdown() }
    try await until { first.status.phase == .shuttingDown }
    mayClose.open()

    await #expect(throws: PondError.self) { try await second.value }
    #expect(try await shutdown.value.failures.map(\.pebble) == ["cached"])
    #expect(try await shutdown.value.records.count == 1)
  }

  @Test func anEarlierShutdownIsNotToldAgain() async throws {
    let closing = Attempts(failing: 1)
    pond.pebble("store", teardown: { _ = try closing.next() }) {}
    let first = try pond.start()
    _ = try await first.report
    #expect(try await first.shutdown().failures.count == 1)
    let second = try await first.resumed()
    _ = try await second.report

    try await second.shutdown().check()
  }

  @Test func aLimitThatComesWhileTheNewestIsTornDownCountsForThoseBefore() async throws {
    let clock = AlarmClock()
    let (hangs, isClosing, mayClose) = (Gate(), Gate(), Gate())
    pond.pebble("store", teardown: { await hangs.passed() }) {}
    pond.pebble(
      "index",
      teardown: {
        isClosing.open()
        await mayClose.passed()
      }
    ) { _ = try flaky.next() }
    let first = try pond.start(clock: clock)
    _ = try await first.report
    let second = try await first.resumed(clock: clock)
    _ = try await second.report
    let unlimited = Task { try await second.shutdown() }
    await isClosing.passed()
    let limited = Task { try await first.shutdown(within: .seconds(1)) }
    try await until { first.core.held.withLock { $0.shutdownEnd } != nil }
    mayClose.open()
    await clock.asleep(1)
    clock.advance(by: .seconds(1))

    let failures = try await limited.value.failures
    #expect(failures.map(\.pebble) == ["store"])
    hangs.open()
    _ = try await unlimited.value
  }
}
