import Pebbles
import PebblesTestSupport
import PebblesTesting
import Synchronization
import Testing

/// Tests of a restarted service, and of a service that restarts with it, in nested runs and in many
/// schedules.
@Suite(.watched) struct ExploreRestartsTests {
  @Test(arguments: [
    Schedules.random(count: Thoroughness.times(30), seed: 3),
    .pct(count: Thoroughness.times(30), seed: 4),
  ])
  func whatIsOpenIsClosedInOrderHoweverDeep(schedules: Schedules) async throws {
    try await explore(schedules: schedules) { clock in
      let ledger = OpeningLedger()
      let run = try Self.nested(Self.server(ledger, clock), depth: 2, clock).start(clock: clock)
      try await clock.sleep(for: .seconds(9))
      try await run.shutdown().check()
      #expect(try await run.report.exitCode == 0)
      #expect(ledger.complaints.isEmpty)
      #expect(ledger.isEmpty)
    }
  }

  @Test func aShutdownMayComeAtAnyMoment() async throws {
    for half in 0..<16 {
      let schedules = Schedules.random(count: Thoroughness.times(5), seed: UInt64(half))
      try await explore(schedules: schedules) { clock in
        let ledger = OpeningLedger()
        let run = try Self.nested(Self.server(ledger, clock), depth: 2, clock).start(clock: clock)
        try await clock.sleep(for: .milliseconds(500 * half))
        try await run.shutdown().check()
        #expect(ledger.complaints.isEmpty)
        #expect(ledger.isEmpty)
      }
    }
  }

  /// Returns a pond with a service that runs another pond, nested to the given depth. The innermost
  /// pond is the given one.
  private static func nested(_ pond: Pond, depth: Int, _ clock: TestClock) -> Pond {
    if depth == 0 { return pond }
    let around = Pond("around")
    around.service("inside") { ready in
      _ = try await nested(pond, depth: depth - 1, clock).run(clock: clock)
      ready()
      await ready.stopRequested()
    }
    return around
  }

  /// Returns a pond with a database that crashes twice, a cache and a server that restart with it,
  /// and a reader.
  private static func server(_ ledger: OpeningLedger, _ clock: TestClock) -> Pond {
    let pond = Pond("server")
    let calls = Mutex(0)
    let database: Pebble<String> = pond.service(
      "database", .ending(.restart(.attempts(5))), teardown: { ledger.closed($0) }
    ) { ready in
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      try await clock.sleep(for: .milliseconds(500))
      ledger.opened("database \(call)")
      ready("database \(call)")
      if call == 3 { return await ready.stopRequested() }
      try await clock.sleep(for: .seconds(call + 1))
      throw CancellationError()
    }
    let cache: Pebble<String> = pond.service(
      "cache", .restartsWith(database), .stopWithin(.seconds(5)), needs: database,
      teardown: { ledger.closed($0) }
    ) { ready, database in
      try await clock.sleep(for: .milliseconds(700))
      let name = "cache of \(database)"
      ledger.opened(name)
      ledger.uses(database)
      ready(name)
      await ready.stopRequested()
      try? await clock.sleep(for: .milliseconds(300))
      ledger.uses(database)
    }
    pond.service("http", .restartsWith(database, cache), needs: database, cache) {
      ready, database, cache in
      ledger.uses(database)
      ready()
      await ready.stopRequested()
      ledger.uses(database)
      ledger.uses(cache)
    }
    let late = pond.pebble("late") { try await clock.sleep(for: .seconds(3)) }
    pond.pebble("reader", needs: cache, when: late.succeeded) { ledger.uses($0) }
    return pond
  }
}
