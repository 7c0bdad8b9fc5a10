import GRDB
import Hummingbird
import Logging
import NIOHTTP1
import Pebbles
import PebblesPictures
import PebblesServer
import SitePages

/// The entrance for all requests. Requests from operators are always answered; requests from
/// visitors are answered by the site while its doors are open. Every answer is well-formed, even
/// after an error.
struct FrontDoor: HTTPResponder {
  private let operation: RouteResponder<TrackerContext>
  private let closedHome: ClosedHome
  private let site: Site
  private let delivery = Delivery()

  init(_ run: Run, _ retries: Retries, _ site: Site, _ layout: SiteLayout) throws {
    let router = Router(context: TrackerContext.self)
    router.add(middleware: TracingMiddleware())
    addHealthRoutes(to: router, run: run) { .init(isReady: site.isReady, says: "\(site.screen)") }
    addStatusRoute(to: router, site)
    addBootRoutes(
      to: router, links: .ofTheSite, version: Pond.packageVersion, run: retries.run ?? run)
    addLastRunRoutes(
      to: router, at: Refresh.page, of: site.lastRefresh,
      absence: "nothing has been loaded again since the boot", links: .ofTheSite,
      version: Pond.packageVersion)
    addRetryRoute(to: router, retries, run)
    layout.files.addRoutes(to: router, at: SiteLayout.filesPath)
    closedHome = try ClosedHome(layout)
    closedHome.files.addRoutes(to: router, at: ClosedHome.filesPath)
    operation = RouteResponder(router)
    self.site = site
  }

  func respond(to request: Request, context: TrackerContext) async throws -> Response {
    // Without this, pipelined requests on one connection would all be answered before other
    // connections get a turn.
    await Task.yield()
    var response = try await answer(to: request, context)
    if let error = try await ErrorAnswer(response, to: request) {
      response = error.response(to: request)
    }
    return try await delivery.delivered(response, for: request)
  }

  /// Answers a request. A HEAD request is answered like a GET request; the body is removed later.
  private func answer(to request: Request, _ context: TrackerContext) async throws -> Response {
    let asked = request.method == .head ? request.asking(.get) : request
    do {
      if isOperation(request.uri.path) {
        return try await operation.respond(to: asked, context: context)
      }
      if let home = closedHome.response(to: asked, site) { return home }
      return try await site.respond(to: asked, context)
    } catch let error as any HTTPResponseError {
      return try error.response(from: request, context: context)
    } catch let error as HTTPParserError {
      // The server answers it and closes the connection.
      throw error
    } catch {
      return failed(request, context, error)
    }
  }

  private func isOperation(_ path: String) -> Bool {
    path == "/status" || path.hasPrefix("/health/") || path.hasPrefix("/boot")
      || path.hasPrefix("/\(SiteLayout.filesPath)/")
  }

  /// Logs the details of an error, and returns a general error answer. After a database error, also
  /// requests a check of the database.
  private func failed(_ request: Request, _ context: TrackerContext, _ error: any Error) -> Response
  {
    let path = request.uri.path.prefix(200)
    // Without the SQL statement, which is long and shows what was searched for.
    let finding = (error as? DatabaseError).map { "the database says: \($0.finding)" }
    let reason = (finding ?? "\(error)").split(whereSeparator: \.isNewline)
      .joined(separator: " ").prefix(500)
    context.logger.error(
      "\(request.method.rawValue) \(path.debugDescription) could not be answered: \(reason)")
    if error is DatabaseError { site.wish(for: .check) }
    return ErrorAnswer(
      .internalServerError,
      "this could not be answered; the log says why, under request \(context.id)"
    ).response(to: request)
  }
}

extension [PageLink] {
  /// The links from the Boot page to the other pages.
  fileprivate static var ofTheSite: [PageLink] {
    SitePage.Place.allCases.map {
      PageLink($0.name, to: $0.address, isCurrent: $0 == .boot)
    }
  }
}
