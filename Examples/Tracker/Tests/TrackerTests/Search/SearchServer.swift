import AsyncHTTPClient
import Foundation
import Hummingbird
import People
import SitePages
import Synchronization
import TrackerTestSupport

@testable import TrackerCore

/// A real server for searches. A test can slow down its answers, or make them fail.
struct SearchServer: Sendable {
  let url: String
  let visits: Visits
  let site: Site

  static func using(
    _ database: SearchDatabase, pageSize: Int = 20,
    _ test: @Sendable (SearchServer) async throws -> Void
  ) async throws {
    let (visits, site) = (Visits(), Site())
    let router = Router()
    router.add(middleware: Checkpoint(visits: visits))
    let layout = try SiteLayout()
    try addSearchRoutes(
      to: router, search: LaunchSearch(reader: database.pool, pageSize: pageSize), site: site,
      layout: layout)
    try addLaunchRoutes(to: router, reader: database.pool, site: site, layout: layout)
    layout.files.addRoutes(to: router, at: SiteLayout.filesPath)
    addHomeAnswers(
      to: router, reader: database.pool, people: PeopleRoom(),
      now: { Date(timeIntervalSince1970: 0) })
    try await LoopbackServer.using(router) { url in
      try await test(SearchServer(url: url, visits: visits, site: site))
    }
  }

  struct Answer: Sendable {
    let status: UInt
    let headers: [String: String]
    let text: String
  }

  /// Returns the answer to a request, regardless of the answer's status. By default, the request
  /// accepts HTML, like a browser's.
  func answer(_ path: String, accepting type: String = "text/html") async throws -> Answer {
    var request = HTTPClientRequest(url: url + path)
    request.headers.add(name: "accept", value: type)
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
    let body = try await response.body.collect(upTo: 1 << 22)
    let headers = Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { $1 }
    return Answer(status: response.status.code, headers: headers, text: String(buffer: body))
  }

  func page(_ query: String) async throws -> LaunchPage {
    try JSONDecoder().decode(
      LaunchPage.self, from: Data(try await answer("/launches?\(query)").text.utf8))
  }
}

/// The queries sent to `/launches`, and the obstacles to them.
final class Visits: Sendable {
  enum Obstacle: Sendable {
    case held(by: Turnstile)
    case failure
    case body(String)
  }

  private struct State {
    var queries: [String] = []
    var obstacles: [String: Obstacle] = [:]
  }

  private let state = Mutex(State())

  /// The queries in the order in which they arrived. A query for a page after the first one ends
  /// with a plus.
  var queries: [String] { state.withLock(\.queries) }

  /// Sets or removes the obstacle to later requests with a query.
  func put(_ obstacle: Obstacle?, before query: String) {
    state.withLock { $0.obstacles[query] = obstacle }
  }

  fileprivate func visited(_ query: String, isFirst: Bool) -> Obstacle? {
    state.withLock { state in
      let name = isFirst ? query : "\(query)+"
      state.queries.append(name)
      return state.obstacles[name]
    }
  }
}

private struct Checkpoint<Context: RequestContext>: RouterMiddleware {
  let visits: Visits

  func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard request.uri.path == "/launches" else { return try await next(request, context) }
    let query = FormQuery(request.uri.query)
    switch visits.visited(query["q"] ?? "", isFirst: query["page"] == nil) {
    case .held(let turnstile):
      try await turnstile.passed()
      return try await next(request, context)
    case .failure:
      throw HTTPError(.serviceUnavailable, message: "the search rests")
    case .body(let text):
      return Response(
        status: .ok, headers: [.contentType: "application/json"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    case nil:
      return try await next(request, context)
    }
  }
}
