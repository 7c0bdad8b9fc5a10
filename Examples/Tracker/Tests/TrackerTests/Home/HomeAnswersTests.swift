import AsyncHTTPClient
import Foundation
import People
import Sections
import Testing
import TrackerTestSupport

@testable import TrackerCore

/// Tests for the routes that send the data of Home.
@Suite struct HomeAnswersTests {
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
    _ test: @Sendable (SearchServer) async throws -> Void
  ) async throws {
    let database = try SearchDatabase(Self.past + Self.next)
    try await database.pool.write { database in
      for number in 100..<230 {
        try Core(id: "c\(number)", serial: "B1\(number)", status: "active", reuseCount: number % 9)
          .insert(database)
      }
    }
    try await SearchServer.using(database, test)
  }

  private struct Answer: Decodable {
    let next: [Launch]?
    let latest: [Launch]?
    let rockets: [Rocket]?
    let cores: [Core]?
  }

  private func answer(_ path: String, _ server: SearchServer) async throws -> Answer {
    try JSONDecoder().decode(Answer.self, from: Data(try await server.answer(path).text.utf8))
  }

  @Test func homeIsWhatComesAndWhatWas() async throws {
    try await using { server in
      let home = try await answer("/home", server)

      #expect(home.next == Self.next)
      #expect(home.latest == Array(Self.past.reversed().prefix(5)))
    }
  }

  @Test func aLaunchIsAheadUntilItsDayOrItsMonthIsOver() throws {
    let day: Int64 = 86_400
    let dates: [(id: String, date: Int64, precision: String)] = [
      ("today", 100 * day, "day"), ("soon", 103 * day, "hour"), ("this month", 95 * day, "month"),
      ("just missed", 99 * day, "hour"), ("missed", 98 * day, "day"),
    ]
    let launches = dates.map { id, date, precision in
      Launch(
        id: id, flightNumber: 1, name: id, details: nil, date: date, success: nil, upcoming: true,
        rocket: nil, datePrecision: precision)
    }
    let database = try SearchDatabase(launches.reversed())
    let now = 100 * day + day / 2

    let next = try database.pool.read { try HomeQueries.next($0, now: now) }

    #expect(next == launches)
    #expect(NextValues(next, now: now).first?.name == "today")
  }

  /// Loads the sections over HTTP, as an app does.
  @Test func sectionsAreLoadedOverHTTP() async throws {
    try await using { server in
      try await HTTPClient.using { client in
        let sections = HomeSections(
          of: server.url, answers: HTTPAnswers(client), logger: quiet,
          // The usual limit is one of real time, which a busy machine can exceed.
          limit: .seconds(3_600))
        let names = Set(HomeSections.Name.allCases)
        #expect(sections.shelves.begin(names) == names)
        try await sections.load(names)

        let contents = sections.shelves.contents
        #expect(contents.loading.isEmpty)
        #expect(contents.next.items == Self.next)
        #expect(contents.latest.items == Array(Self.past.reversed().prefix(20)))
        #expect(contents.latest.hasMore)
        #expect(contents.failures.items?.map(\.id) == ["l60", "l50", "l40", "l30", "l20", "l10"])
        #expect(contents.cores.items == [])
        #expect(contents.people.problem?.hasPrefix("the server answered 503") == true)
      }
    }
  }

  @Test(arguments: [7, 7_919, 15_838])
  func thePeopleOfTheNextDayAreOthers(count: Int) throws {
    let people = try People(generating: count, seed: 1)

    let days = [19_000, 19_001].map { SomePerson.some(of: people, day: $0) }

    #expect(Set(days.joined().map(\.id)).count == 6)
  }

  @Test func rocketsAndCoresAreListed() async throws {
    try await using { server in
      #expect(
        try await answer("/rockets", server).rockets == [
          Rocket(id: "falcon9", launches: 59, successes: 49, upcoming: 4, latest: 64),
          Rocket(id: "falcon1", launches: 5, successes: 5, upcoming: 0, latest: 5),
        ])
      let cores = try await answer("/cores?page=3&size=50", server).cores
      #expect(cores?.map(\.serial) == (200..<230).map { "B1\($0)" })
    }
  }

  @Test(arguments: [
    "/cores?page=0", "/cores?page=-1", "/home/cores?page=x", "/home/failures?size=0",
    "/cores?size=501", "/cores?page=99999999999999999999",
  ])
  func aPageThatCannotBeIsRefused(path: String) async throws {
    try await using { server in
      let answer = try await server.answer(path)

      #expect(answer.status == 400)
      #expect(answer.text.contains("is a whole number from 1 to"))
    }
  }

  @Test(arguments: ["", "x", "1", ":", "1.5:a", "99999999999999999999:a"])
  func aPlaceThatNoAnswerHasNamedIsRefused(place: String) async throws {
    try await using { server in
      let answer = try await server.answer("/home/latest?after=\(place)")

      #expect(answer.status == 400)
    }
  }
}
