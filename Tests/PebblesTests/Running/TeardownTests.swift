import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the pebbles that are torn down, and of the order of teardowns.
@Suite(.watched) struct TeardownTests {
  private let pond = Pond("teardown")
  private let journal = Logbook<String>()

  @Test func whatCameUpIsTornDownInReverseOrder() async throws {
    let database = pebble("database")
    let cache = pebble("cache", when: database.succeeded)
    // Without a teardown, but in between.
    let migrate = pond.pebble("migrate", when: cache.succeeded) {}
    _ = pebble("http", when: migrate.succeeded)

    let shutdown = try await bootAndShutDown()

    #expect(journal.entries == ["http", "cache", "database"])
    #expect(shutdown.records.map(\.pebble) == ["http", "cache", "database"])
    #expect(shutdown.failures.isEmpty)
  }

  @Test func aTeardownIsHandedTheOutput() async throws {
    let outputs = Logbook<Int>()
    let one = pond.pebble("one", teardown: { outputs.note($0) }) { 1 }
    pond.pebble("two", needs: one, teardown: { outputs.note($0) }) { $0 + 1 }
    pond.pebble("none", when: one.skipped, teardown: { outputs.note($0) }) { 3 }
    pond.pebble("optional", teardown: { outputs.note($0 ?? 4) }) { () -> Int? in nil }

    try await bootAndShutDown()

    #expect(outputs.entries.sorted() == [1, 2, 4])
    #expect(outputs.entries.filter { $0 != 4 } == [2, 1])
  }

  @Test func onlyWhatSucceededIsTornDown() async throws {
    pond.pebble("failed", teardown: { [journal] in journal.note("failed") }) { throw Breakdown() }
    pond.pebble("callback", teardown: { [journal] in journal.note("callback") }) { $0.succeed() }
    pond.pebble("failing callback", teardown: { [journal] in journal.note("failing callback") }) {
      $0.fail(Breakdown())
    }
    pond.pebble(
      "disabled", .enabled { false }, teardown: { [journal] in journal.note("disabled") }
    ) {}
    _ = pebble("skipped", when: .never)

    let shutdown = try await bootAndShutDown()

    #expect(journal.entries == ["callback"])
    #expect(shutdown.records.map(\.pebble) == ["callback"])
  }

  @Test func ofAnOrOnlyTheOneThatEnabledIsTornDownAfterwards() async throws {
    let ran = Gate()
    let meeting = Meeting(of: 2)
    let fast = pebble("fast")
    let slow = pond.pebble("slow", teardown: { await meeting.attend() }) { await ran.passed() }
    // Torn down together with what would have enabled it as well.
    pond.pebble(
      "user", when: fast.succeeded || slow.succeeded,
      teardown: { [journal] in
        await meeting.attend()
        journal.note("user")
      }
    ) { ran.open() }

    try await bootAndShutDown()

    #expect(journal.entries == ["user", "fast"])
  }

  @Test func aFallbackIsTornDownBeforeWhatItsFailedOriginalNeeded() async throws {
    let database = pebble("database")
    let primary = pond.pebble("primary", when: database.succeeded) { throw Breakdown() }
    let fallback = pebble("fallback", when: primary.failed)
    _ = pebble("user", when: primary.succeeded || fallback.succeeded)

    try await bootAndShutDown()

    #expect(journal.entries == ["user", "fallback", "database"])
  }

  @Test func whatWasSkippedStandsInBetweenToo() async throws {
    let database = pebble("database")
    let primary = pebble("primary", when: database.failed)
    _ = pebble("instead", when: primary.skipped)

    try await bootAndShutDown()

    #expect(journal.entries == ["instead", "database"])
  }

  @Test func independentTeardownsRunAtTheSameTime() async throws {
    let meeting = Meeting(of: 20)
    let base = pebble("base")
    for number in 0..<20 {
      pond.pebble("\(number)", when: base.succeeded, teardown: { await meeting.attend() }) {}
    }

    let shutdown = try await bootAndShutDown()

    #expect(journal.entries == ["base"])
    #expect(shutdown.records.count == 21)
    #expect(shutdown.records.last?.pebble == "base")
  }

  @Test func whatFailsToBeTornDownIsCollectedAndHoldsNothingUp() async throws {
    let database = pond.pebble("database", teardown: { throw Breakdown("still in use") }) {}
    let cache = pebble("cache", when: database.succeeded)
    pond.pebble("http", when: cache.succeeded, teardown: { throw Breakdown("two\nlines") }) {}

    let run = try pond.start()
    _ = try await run.report
    let shutdown = try await run.shutdown()

    #expect(journal.entries == ["cache"])
    #expect(shutdown.failures.map(\.pebble) == ["http", "database"])
    #expect(shutdown.failures.map { $0.error as? Breakdown }.last == Breakdown("still in use"))
    let error = #expect(throws: TeardownFailures.self) { try shutdown.check() }
    #expect(
      error?.description == #"""
        some pebbles of the pond "teardown" could not be torn down:
          - http: two⏎lines
          - database: still in use
        """#)
  }

  @Test func aTeardownKnowsWhereItIs() async throws {
    let seen = Logbook<PebbleContext?>()
    let failing = Attempts(failing: 1)
    pond.pebble(
      "database", .retry(.attempts(2)), teardown: { _ in seen.note(PebbleContext.current) }
    ) { try failing.next() }

    let run = try pond.start()
    _ = try await run.report
    try await run.shutdown(within: .seconds(1000))

    let context = try #require(seen.entries.first ?? nil)
    #expect(context.pond == "teardown")
    #expect(context.pebble == "database")
    #expect(context.attempt == 2)
    #expect(context.runIdentifier == run.identifier)
  }

  @Test func timesCountFromTheStartOfTheShutdown() async throws {
    let clock = ManualClock()
    pond.pebble("database", teardown: { clock.advance(by: .seconds(2)) }) {
      clock.advance(by: .seconds(7))
    }

    let run = try pond.start(clock: clock)
    _ = try await run.report
    let shutdown = try await run.shutdown()

    #expect(shutdown.records.map(\.started) == [.zero])
    #expect(shutdown.records.map(\.finished) == [.seconds(2)])
    #expect(shutdown.duration == .seconds(2))
    #expect(shutdown.description == "teardown: 1 torn down in 2.00 s\n  database")
  }

  private func pebble(_ name: String, when condition: Condition = .always) -> Pebble<Void> {
    pond.pebble(name, when: condition, teardown: { [journal] in journal.note(name) }) {}
  }

  @discardableResult
  private func bootAndShutDown() async throws -> ShutdownReport {
    let run = try pond.start()
    _ = try await run.report
    #expect(journal.count == 0)
    let shutdown = try await run.shutdown()
    try shutdown.check()
    return shutdown
  }
}
