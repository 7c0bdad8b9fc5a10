import AsyncHTTPClient
import Logging
import Testing
import TrackerTestSupport

@testable import TrackerCore

/// The screens of an app, loaded from the tracker's own server.
@Suite struct ScreensTests {
  private static let past = (1...60).map { number in
    Launch(
      id: "l\(number)", flightNumber: number, name: "Launch \(number)", details: nil,
      date: Int64(number), success: number % 10 != 0, upcoming: false,
      rocket: number <= 5 ? "falcon1" : "falcon9")
  }
  private static let next = (61...65).map { number in
    Launch(
      id: "l\(number)", flightNumber: number, name: "Launch \(number)", details: nil,
      date: Int64(number), success: nil, upcoming: true, rocket: number == 65 ? nil : "falcon9")
  }

  private func using(
    _ test: @Sendable (Screens, SearchServer, SearchDatabase) async throws -> Void
  ) async throws {
    let database = try SearchDatabase(Self.past + Self.next)
    try await database.pool.write { database in
      for number in 100..<230 {
        try Core(id: "c\(number)", serial: "B1\(number)", status: "active", reuseCount: number % 9)
          .insert(database)
      }
    }
    try await SearchServer.using(database) { server in
      try await HTTPClient.using { client in
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        try await test(Screens(of: server.url, client: client, logger: logger), server, database)
      }
    }
  }

  @Test func homeShowsWhatComesAndWhatWas() async throws {
    try await using { screens, _, _ in
      let home = try await screens.home.loader.refresh()

      #expect(home[screens.home.next].items == Array(Self.next.prefix(3)))
      #expect(home[screens.home.latest].items == Array(Self.past.reversed().prefix(5)))
    }
  }

  @Test func launchesAreAllOfThem() async throws {
    try await using { screens, server, _ in
      let loaded = try await screens.launches.loader.refresh()

      let all = loaded[screens.launches.all]
      #expect(all.items == (Self.past + Self.next).reversed())
      #expect(all.isComplete)
      #expect(server.visits.queries == ["", "+", "+", "+"])
    }
  }

  @Test func rocketsAndCoresAreTwoSections() async throws {
    try await using { screens, _, _ in
      let loaded = try await screens.rockets.loader.refresh()

      #expect(
        loaded[screens.rockets.rockets].items == [
          Screens.Rocket(id: "falcon9", launches: 59, successes: 49, upcoming: 4, latest: 64),
          Screens.Rocket(id: "falcon1", launches: 5, successes: 5, upcoming: 0, latest: 5),
        ])
      let cores = loaded[screens.rockets.cores]
      #expect(cores.items.map(\.serial) == (100..<230).map { "B1\($0)" })
      #expect(cores.isComplete)
      #expect(cores.pageCount == 3)
    }
  }

  @Test(arguments: [
    "page=0", "page=-1", "page=x", "size=0", "size=501", "page=99999999999999999999",
  ])
  func aPageOfCoresThatCannotBeIsRefused(query: String) async throws {
    try await using { _, server, _ in
      let answer = try await server.answer("/cores?\(query)")

      #expect(answer.status == 400)
      #expect(answer.text.contains("is a whole number from 1 to"))
    }
  }

  @Test func anEmptyDatabaseIsAnEmptyScreen() async throws {
    try await SearchServer.using(SearchDatabase()) { server in
      try await HTTPClient.using { client in
        let screens = Screens(of: server.url, client: client, logger: Logger(label: "test"))

        let home = try await screens.home.loader.refresh()
        #expect(home[screens.home.next].items.isEmpty)
        #expect(home[screens.home.next].isComplete)
        let rockets = try await screens.rockets.loader.refresh()
        #expect(rockets[screens.rockets.cores].isComplete)
        #expect(rockets.report.isAllSucceeded)
      }
    }
  }
}
