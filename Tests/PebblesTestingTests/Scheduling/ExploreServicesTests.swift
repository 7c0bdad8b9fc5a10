import Pebbles
import PebblesTestSupport
import PebblesTesting
import Synchronization
import Testing

/// Tests of services that restart, drain and stop before others, and of late bodies and teardowns,
/// in many schedules.
@Suite(.watched) struct ExploreServicesTests {
  @Test(arguments: [
    Schedules.random(count: Thoroughness.times(40), seed: 1),
    .pct(count: Thoroughness.times(40), seed: 2),
  ])
  func whatIsOpenedIsClosedInOrder(schedules: Schedules) async throws {
    try await explore(schedules: schedules) { clock in
      let ledger = OpeningLedger()
      let pond = Self.server(ledger, clock)
      let run = try pond.start(clock: clock)
      try await clock.sleep(for: .seconds(4))
      try await run.shutdown(within: .seconds(60))
      let report = try await run.reportAfterShutdown()
      // A late body may still be on its way.
      while report.records.contains(where: \.isStillRunning) { await Task.yield() }
      #expect(ledger.complaints.isEmpty)
      #expect(ledger.isEmpty)
    }
  }

  @Test func aShutdownMayComeAtAnyMoment() async throws {
    for seconds in 0..<12 {
      let schedules = Schedules.random(count: Thoroughness.times(10), seed: UInt64(seconds))
      try await explore(schedules: schedules) { clock in
        let ledger = OpeningLedger()
        let run = try Self.server(ledger, clock).start(clock: clock)
        try await clock.sleep(for: .milliseconds(500 * seconds))
        let report = try await run.shutdown()
        try report.check()
        #expect(report.failures.isEmpty)
        let records = try await run.report.records
        while records.contains(where: \.isStillRunning) { await Task.yield() }
        #expect(ledger.complaints.isEmpty)
        #expect(ledger.isEmpty)
      }
    }
  }

  /// Returns a pond with a server that listens before its database is available, and a worker that
  /// crashes twice.
  private static func server(_ ledger: OpeningLedger, _ clock: TestClock) -> Pond {
    let pond = Pond("server")
    let attempts = Mutex(0)
    let http = pond.service(
      "http", .stopsBefore(.named("database")), .stopWithin(.seconds(5))
    ) { ready in
      ledger.opened("http")
      ready()
      await ready.stopRequested()
      try? await clock.sleep(for: .seconds(1))
      ledger.closed("http")
    }
    let database: Pebble<String> = pond.pebble(
      "database", .timeout(.seconds(2)), .retry(.attempts(3)), when: http.succeeded,
      teardown: { ledger.closed($0) }
    ) {
      let attempt = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      // The first one returns although it is cancelled for its timeout.
      try? await clock.sleep(for: .seconds(attempt == 1 ? 3 : 1))
      ledger.opened("database")
      return "database"
    }
    let crashes = Mutex(2)
    let worker: Pebble<Int> = pond.service(
      "worker", .ending(.restart(.attempts(6))), needs: database,
      teardown: { _ in ledger.closed("session") }
    ) { ready, database in
      ledger.uses(database)
      ledger.opened("session")
      ready(1)
      let crashes = crashes.withLock { crashes in
        crashes -= 1
        return crashes >= 0
      }
      if crashes {
        try await clock.sleep(for: .seconds(1))
        throw Breakdown("connection lost")
      }
      try await clock.sleep(for: .seconds(600))
    }
    pond.pebble("cache", needs: worker, database, teardown: { _ in ledger.uses("database") }) {
      _, database in ledger.uses(database)
    }
    return pond
  }
}
