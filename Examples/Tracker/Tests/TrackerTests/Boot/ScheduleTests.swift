import Pebbles
import PebblesAnalysis
import PebblesTesting
import Synchronization
import Testing

@testable import TrackerCore

/// Tests for the boot in many orders, with its real bodies and a real in-memory database. Only the
/// parts that use the network are replaced.
@Suite struct ScheduleTests {
  struct Refused: Error {}

  struct Subject: Sendable {
    let boot: Boot
    let pond: Pond
    let database: Opened
  }

  /// A holder of the database that was opened last.
  final class Opened: Sendable {
    private let database = Mutex<TrackerDatabase?>(nil)

    func open() throws -> TrackerDatabase {
      let opened = try TrackerDatabase.inMemory()
      database.withLock { $0 = opened }
      return opened
    }

    func close(_ opened: TrackerDatabase) throws {
      database.withLock { $0 = nil }
      try opened.close()
    }

    func read() throws {
      guard let opened = database.withLock({ $0 }) else { throw Closed() }
      _ = try opened.launchCount()
    }
  }

  struct Closed: Error {}

  static func subject(failing: Set<String>, _ clock: TestClock) throws -> Subject {
    var limits = Limits()
    limits.drainDelay = .zero
    let boot = Boot(limits: limits, logger: quiet, clock: clock, around: untouched) { Settings() }
    let database = Opened()
    @Sendable func may(_ name: String) async throws {
      await Task.yield()
      if failing.contains(name) { throw Refused() }
    }
    let pond = try boot.pond
      .replacing(boot.http) { 80 }
      .replacing(boot.feed) { FeedClient(.shared, base: "http://nowhere.invalid") }
      .replacing(boot.people) {}
      .replacing(boot.opening.openDatabase, teardown: { try database.close($0) }) {
        try await may("openDatabase")
        if failing.contains("damaged") { throw DamagedDatabase(path: "boot", finding: "bits") }
        return try database.open()
      }
      .replacing(boot.opening.resetDatabase, teardown: { try database.close($0) }) {
        try await may("resetDatabase")
        return try database.open()
      }
      .replacing(boot.loading.fetchLaunches) {
        try await may("fetchLaunches")
        return ["1", "2"].map { FedLaunch(launch: DatabaseTests.launch($0)) }
      }
      .replacing(boot.loading.fetchCores) {
        try await may("fetchCores")
        return [Core(id: "1", serial: "B1", status: "active", reuseCount: 0)]
      }
    return Subject(boot: boot, pond: pond, database: database)
  }

  @Test(arguments: [
    [], ["fetchLaunches"], ["fetchCores"], ["openDatabase"], ["damaged"],
    ["damaged", "resetDatabase"], ["fetchLaunches", "fetchCores"],
  ])
  func exactlyOneScreenInEveryOrder(failing: [String]) async throws {
    let exploration = try await explore(
      { clock in try Self.subject(failing: Set(failing), clock) }, pond: \.pond,
      schedules: .random(count: 200, seed: 1),
      laws: { subject in [.exactlyOne(of: subject.boot.showing.all.map(\.succeeded))] })

    #expect(exploration.schedules == 200)
  }

  /// Checks that an arriving visitor never encounters a closed database, regardless of when the
  /// boot is shut down.
  @Test func aVisitorNeverMeetsAClosedDatabase() async throws {
    let exploration = try await explore(schedules: .random(count: 400, seed: 7)) { clock in
      let subject = try Self.subject(failing: [], clock)
      let run = try subject.pond.start(clock: clock)
      let site = subject.boot.site
      async let visits: Void = {
        // However long it takes until the doors are open.
        var rest = 40
        while rest > 0 {
          try await site.admit { _ in
            await Task.yield()
            try subject.database.read()
          }
          if site.visits.admitted > 0 { rest -= 1 }
          await Task.yield()
        }
      }()
      while site.visits.admitted == 0 { await Task.yield() }
      try await run.shutdown().check()
      try await visits
      #expect(site.visits.admitted == site.visits.answered)
    }
    #expect(exploration.schedules == 400)
  }
}
