import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

private enum StoreError: Error, Equatable {
  case locked, full
}

private enum Side: CaseIterable {
  case heads, tails
}

@Suite(.watched) struct CaseTests {
  private let pond = Pond("cases")

  // MARK: What holds

  @Test(arguments: [StoreError.locked, .full])
  fileprivate func anErrorDecides(_ error: StoreError) async throws {
    let database = pond.pebble("database") { throw error }
    let locked = database.failed("locked") { $0 as? StoreError == .locked }
    let showUnlock = pond.pebble("showUnlock", when: locked) {}
    let showBroken = pond.pebble("showBroken", when: database.failed && !locked) {}

    let report = try await pond.run()

    #expect(report.ran(showUnlock) == (error == .locked))
    #expect(report.ran(showBroken) == (error == .full))
    #expect(report.record(of: database)?.cases == (error == .locked ? [.failed("locked")] : []))
  }

  @Test func otherOutcomesMakeACaseFalse() async throws {
    let fine = pond.pebble("fine") {}
    let skipped = pond.pebble("skipped", when: fine.failed) {}
    let looping = pond.pebble("looping") {}
    looping.ready = looping.succeeded
    let disabled = pond.pebble("disabled", .enabled { false }) {}

    for pebble in [fine, skipped, looping, disabled] {
      let isAny = pebble.failed("any") { _ in true }
      pond.pebble("after \(pebble.name)", when: isAny) {}
      pond.pebble("not \(pebble.name)", when: !isAny) {}
    }
    let report = try await pond.run()

    for pebble in [fine, skipped, looping, disabled] {
      #expect(!report.ran(.named("after \(pebble.name)")), "\(pebble)")
      #expect(report.ran(.named("not \(pebble.name)")), "\(pebble)")
    }
  }

  @Test func anOutputDecides() async throws {
    let count = pond.pebble("count") { 7 }
    let isOdd = count.succeeded("odd") { $0 % 2 == 1 }
    let isLarge = count.succeeded("large") { $0 > 100 }
    let both = pond.pebble("both", when: isOdd && isLarge) {}
    let either = pond.pebble("either", when: isOdd || isLarge) {}

    let report = try await pond.run()

    #expect(!report.ran(both))
    #expect(report.ran(either))
    #expect(report.record(of: count)?.cases == [.succeeded("odd")])
  }

  @Test(arguments: Side.allCases)
  fileprivate func exactlyOneOfAllValuesIsTheCase(_ side: Side) async throws {
    let flip = pond.pebble("flip") { side }
    let won = pond.pebble("won", when: flip.is(.heads)) {}
    let lost = pond.pebble("lost", when: flip.is(.tails)) {}
    let alsoWon = pond.pebble("alsoWon", when: !flip.is(.tails)) {}

    let report = try await pond.run()

    #expect(report.ran(won) == (side == .heads))
    #expect(report.ran(lost) == (side == .tails))
    #expect(report.ran(alsoWon) == (side == .heads))
    #expect(report.record(of: flip)?.cases == [.is("\(side)")])
  }

  @Test func valuesThatAreNoListAreToldApartToo() async throws {
    let status = pond.pebble("status") { 503 }
    let retry = pond.pebble("retry", when: status.is(503)) {}
    let use = pond.pebble("use", when: status.is(200)) {}
    let flag = pond.pebble("flag") { true }
    let on = pond.pebble("on", when: flag.is(true)) {}
    let off = pond.pebble("off", when: flag.is(false)) {}

    let report = try await pond.run()

    #expect(report.ran(retry) && report.ran(on))
    #expect(!report.ran(use) && !report.ran(off))
  }

  @Test func theFirstEqualValueIsTheCase() async throws {
    struct Loose: Equatable, Sendable, CustomStringConvertible {
      let name: String
      var description: String { name }
      static func == (_: Loose, _: Loose) -> Bool { true }
    }
    let pebble = pond.pebble("loose") { Loose(name: "c") }
    let isA = pebble.is(Loose(name: "a"))

    #expect("\(isA)" == #"loose.is("a")"#)
    // It is equal to the first.
    #expect("\(pebble.is(Loose(name: "b")))" == #"loose.is("a")"#)
  }

  @Test func aTimeoutIsACaseOfItsOwn() async throws {
    let (clock, started) = (AlarmClock(), Gate())
    let fetch = pond.pebble("fetch", .timeout(.seconds(1))) {
      started.open()
      try await untilCancelled()
    }
    let isAny = fetch.failed("any") { _ in true }
    let showSlow = pond.pebble("showSlow", when: fetch.timedOut) {}
    let showBroken = pond.pebble("showBroken", when: isAny) {}

    async let run = pond.run(clock: clock)
    await started.passed()
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    let report = try await run

    // Nobody threw anything.
    #expect(report.ran(showSlow))
    #expect(!report.ran(showBroken))
    #expect("\(fetch.timedOut)" == "fetch.timedOut")
    #expect(
      report.record(of: fetch)?.explanation
        == "fetch timed out: it did not end within 1.0 seconds")
  }

  @Test func anErrorThatIsATimeoutElsewhereIsNone() async throws {
    let fetch = pond.pebble("fetch") {
      throw PebbleTimeout(pebble: "other", limit: .seconds(1), .attempt)
    }
    let isTimeout = fetch.failed("timeout") { $0 is PebbleTimeout }
    pond.pebble("timedOut", when: fetch.timedOut) {}
    pond.pebble("threwOne", when: isTimeout) {}

    let report = try await pond.run()

    #expect(!report.ran(.named("timedOut")))
    #expect(report.ran(.named("threwOne")))
  }

  // MARK: When it is asked

  @Test func theFinalErrorIsAskedOnce() async throws {
    let asked = Mutex<[String]>([])
    let attempts = Atomic(0)
    let store = pond.pebble("store", .retry(.attempts(3))) {
      throw Breakdown("\(attempts.add(1, ordering: .relaxed).newValue)")
    }
    let last = store.failed("last") { error in
      asked.withLock { $0.append("\(error)") }
      return true
    }
    for number in 0..<3 { pond.pebble("after \(number)", when: last) {} }

    _ = try await pond.run()

    #expect(asked.withLock { $0 }.count == 1)
    #expect(asked.withLock { $0 }.first?.contains("3") == true)
  }

  @Test func aServiceIsAskedForItsFirstOutput() async throws {
    let database: Pebble<Int> = pond.service("database") { ready in
      ready(7)
      await ready.stopRequested()
    }
    let isSeven = database.succeeded("seven") { $0 == 7 }
    let after = pond.pebble("after", when: isSeven) {}

    let run = try pond.start()
    let report = try await run.report
    _ = try await run.shutdown()

    #expect(report.ran(after))
  }

  @Test func aCancelledRunIsAskedToo() async throws {
    let run = Mutex<Run?>(nil)
    let load = pond.pebble("load") {
      run.withLock { $0 }?.cancel()
      throw StoreError.locked
    }
    let locked = load.failed("locked") { $0 as? StoreError == .locked }
    pond.pebble("after", when: locked) {}

    let started = try pond.start()
    run.withLock { $0 = started }
    let report = try await started.report

    let record = try #require(report.record(of: load))
    #expect(record.cases == (record.outcome.isFailed ? [.failed("locked")] : []))
  }

  @Test func theErrorScreenComesAtOnce() async throws {
    let isShown = Promise<Void>()
    pond.pebble("prefetch") { await isShown.value() }
    let database = pond.pebble("database") { throw StoreError.locked }
    let locked = database.failed("locked") { $0 as? StoreError == .locked }
    pond.pebble("showUnlock", when: locked) { isShown.fulfill(()) }

    // Ends only if the screen does not wait for the prefetch.
    let report = try await pond.run()

    #expect(report.ran(.named("showUnlock")))
  }

  // MARK: What it looks like

  @Test func aConditionPrintsItsCases() {
    let database = pond.pebble("the database") { 7 }
    let locked = database.failed("locked \"x\"") { _ in true }
    let beta = database.succeeded("beta") { _ in true }

    #expect("\(locked)" == #""the database".failed("locked \"x\"")"#)
    #expect("\(!locked)" == #"!"the database".failed("locked \"x\"")"#)
    #expect("\(!(locked && beta))".hasPrefix("!("))
    #expect(
      "\(database.is(7) || !beta)"
        == #""the database".is("7") || !"the database".succeeded("beta")"#)
  }

  @Test func anExplanationNamesTheCase() async throws {
    let database = pond.pebble("database") { throw Breakdown("disk full") }
    let locked = database.failed("locked") { _ in false }
    let showUnlock = pond.pebble("showUnlock", when: locked) {}
    let flip = pond.pebble("flip") { Side.tails }
    let won = pond.pebble("won", when: flip.is(.heads)) {}
    let start = pond.pebble("start", when: flip.is(.tails)) {}

    let report = try await pond.run()

    #expect(
      report.record(of: showUnlock)?.explanation
        == "showUnlock was not needed: it needs database to fail as locked, but database failed "
        + "otherwise: disk full")
    #expect(
      report.record(of: won)?.explanation
        == "won was not needed: it needs flip to succeed with heads, but flip succeeded with tails")
    #expect(
      report.record(of: start)?.explanation
        == "start succeeded, having started when flip succeeded with tails")
  }

  @Test func eventsTellTheCases() async throws {
    let flip = pond.pebble("flip") { Side.tails }
    pond.pebble("won", when: flip.is(.heads)) {}

    let run = try pond.start(eventHistory: 100)
    _ = try await run.report
    var told: [String: [PebbleCase]] = [:]
    for await event in run.events where event.kind == .settled {
      told[event.pebble ?? ""] = event.cases
    }

    #expect(told == ["flip": [.is("tails")], "won": []])
    let state = run.status.pebbles.first { $0.name == "flip" }?.state
    #expect(state?.cases == [.is("tails")])
  }
}
