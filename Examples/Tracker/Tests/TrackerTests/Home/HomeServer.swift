import Foundation
import GRDB
import Hummingbird
import HummingbirdTesting
import Sections
import SitePages
import Synchronization
import TrackerTestSupport

@testable import TrackerCore

/// A real server with the site and a real database. A test can slow down its sections, or make them
/// fail.
struct HomeServer: Sendable {
  let url: String
  let site: Site
  let database: TrackerDatabase
  let obstacles: Obstacles

  /// The current time of the server: 1 November 2022, 12:00 UTC.
  static let now = Date(timeIntervalSince1970: 1_667_304_000)

  /// Starts a server, calls a closure with it, and ends it.
  ///
  /// - Parameters:
  ///   - launches: The launches in the database.
  ///   - cores: The cores that flew on each launch, keyed by the identifier of the launch.
  ///   - patience: The time that a page waits for slow sections.
  ///   - test: A closure that uses the server.
  /// - Throws: The error thrown by `test`.
  static func using(
    _ launches: [Launch] = HomeServer.launches, cores: [String: [String]] = HomeServer.cores,
    patience: Duration = .seconds(60),
    _ test: @escaping @Sendable (HomeServer) async throws -> Void
  ) async throws {
    let (folder, site, obstacles) = (try Folder(), Site(), Obstacles())
    let database = try TrackerDatabase.open(at: folder.file("tracker.sqlite"))
    try database.migrate()
    try database.save(
      launches.map { launch in
        FedLaunch(
          launch: launch,
          cores: (cores[launch.id] ?? []).enumerated().map { place, core in
            LaunchCore(launch: launch.id, position: place, core: core, landingSuccess: true)
          })
      })
    try database.save(
      Set(cores.values.joined()).subtracting(["unknown"]).map {
        Core(id: $0, serial: "B\($0)", status: "active", reuseCount: 1)
      })
    let answer = try makeSite(
      database, site, patience: patience, limit: .seconds(60), logger: quiet, now: { now },
      answering: { ObstructedAnswers(answers: $0, obstacles: obstacles) })
    site.open(answer)
    site.show(.online)
    let files = try router(site)
    let responder = CallbackResponder<TrackerContext> { request, context in
      request.uri.path.hasPrefix("/site/")
        ? try await files.respond(to: request, context: context)
        : try await site.respond(to: request, context)
    }
    try await Application(responder: responder, logger: quiet).test(.live) { client in
      try await test(
        HomeServer(
          url: "http://127.0.0.1:\(client.port ?? 0)", site: site, database: database,
          obstacles: obstacles))
    }
    obstacles.clear()
    _ = await site.close()
    try database.close()
  }

  private static func router(_ site: Site) throws -> RouterResponder<TrackerContext> {
    let (layout, router) = (try SiteLayout(), Router(context: TrackerContext.self))
    layout.files.addRoutes(to: router, at: SiteLayout.filesPath)
    try ClosedHome(layout).files.addRoutes(to: router, at: ClosedHome.filesPath)
    return router.buildResponder()
  }

  /// Returns the page as the server sends it, before a script runs.
  func page(_ path: String = "/") async throws -> Page {
    let response = try await HTTPClientAnswer(url + path)
    return Page(status: response.status, headers: response.headers, text: response.text)
  }

  /// A page with its sections.
  struct Page {
    let status: UInt
    let headers: [String: String]
    let text: String

    subscript(name: HomeSections.Name) -> String {
      let parts = text.components(separatedBy: "<section id=\"\(name)\"")
      return parts.count == 2 ? parts[1].components(separatedBy: "</section>")[0] : ""
    }

    func state(_ name: HomeSections.Name) -> String {
      self[name].components(separatedBy: "data-state=\"").last?
        .components(separatedBy: "\"").first ?? ""
    }
  }
}

extension HomeServer {
  private static let day: Int64 = 86_400

  /// The launches used in tests: two upcoming ones, an overdue one, and twelve past ones, one of
  /// which failed.
  static let launches: [Launch] =
    [
      launch("soon", 3 * day + 4 * 3_600, upcoming: true),
      launch("later", 40 * day, upcoming: true, precision: "month"),
      launch("overdue", -12 * day, upcoming: true),
      launch("lost", -30 * day, success: false, why: "helium tank overpressure"),
    ] + (1...11).map { launch("past \($0)", -Int64($0) * day) }

  /// The identifiers of each launch's cores. Core 1 flew three times, and core 2 twice; one core is
  /// not in the database.
  static let cores = [
    "past 1": ["1"], "past 2": ["1", "2"], "past 3": ["1"], "past 4": ["2"], "past 5": ["unknown"],
    "past 6": ["4"], "past 7": ["5"], "past 8": ["6"],
  ]

  static func launch(
    _ name: String, _ seconds: Int64, upcoming: Bool = false, success: Bool = true,
    why: String? = nil, precision: String = "hour"
  ) -> Launch {
    var launch = Launch(
      id: name, flightNumber: 1, name: name, details: nil,
      date: Int64(now.timeIntervalSince1970) + seconds, success: upcoming ? nil : success,
      upcoming: upcoming, rocket: "falcon9", datePrecision: precision)
    if let why { launch.failures = [LaunchFailure(time: 139, altitude: 40, reason: why)] }
    return launch
  }
}

/// The obstacles to requests for sections and the counts of these requests, keyed by the name of
/// the section.
final class Obstacles: Sendable {
  enum Obstacle: Sendable {
    case failure(String)
    case held(by: Turnstile)
    case body(String)
  }

  private struct State {
    var obstacles: [String: Obstacle] = [:]
    var counts: [String: Int] = [:]
  }

  private let state = Mutex(State())

  /// The number of requests for the first page of each section.
  var counts: [String: Int] { state.withLock(\.counts) }

  func put(_ obstacle: Obstacle?, before name: HomeSections.Name) {
    state.withLock { $0.obstacles[name.rawValue] = obstacle }
  }

  func clear() { state.withLock { $0.obstacles = [:] } }

  fileprivate func asked(_ request: SectionRequest) -> Obstacle? {
    state.withLock { state in
      if request.page == 0 { state.counts[request.section, default: 0] += 1 }
      return state.obstacles[request.section]
    }
  }
}

private struct ObstructedAnswers: PageAnswering {
  let answers: any PageAnswering
  let obstacles: Obstacles

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  func answer(to request: SectionRequest, mostBytes: Int) async throws -> PageAnswer {
    switch obstacles.asked(request) {
    case .failure(let reason): throw Failure(description: reason)
    case .body(let text):
      return PageAnswer(status: 200, reason: "", headers: [:], body: Data(text.utf8))
    case .held(let turnstile): try await turnstile.passed()
    case nil: break
    }
    return try await answers.answer(to: request, mostBytes: mostBytes)
  }
}
