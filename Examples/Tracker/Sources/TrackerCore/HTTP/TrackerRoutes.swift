import GRDB
import Hummingbird

/// What visitors see: made when the database is open, so no handler ever meets one that is not.
///
/// - Parameters:
///   - database: Where handlers read.
///   - site: Says how fresh that is.
///   - delay: How long every answer waits, to try what a slow one does.
/// - Returns: Who answers visitors.
package func makeSite(
  _ database: TrackerDatabase, _ site: Site, delay: Duration
) -> Site.Responder {
  let router = Router()
  router.add(middleware: TracingMiddleware())
  router.add(middleware: LogRequestsMiddleware(.debug))
  if delay > .zero { router.add(middleware: Delay(delay: delay)) }
  router.get("/") { _, _ in "The launch tracker is \(site.screen).\n" }
  addLaunchListRoute(to: router, reader: database.reader)
  let responder = router.buildResponder()
  return { request, context in try await responder.respond(to: request, context: context) }
}

/// Adds the newest launches.
func addLaunchListRoute<Context: RequestContext>(
  to router: Router<Context>, reader: any DatabaseReader
) {
  router.get("/launches") { _, _ in
    try await reader.read { database in
      try Launch.order(Column("flightNumber").desc, Column("id")).limit(50).fetchAll(database)
    }
  }
}

extension Launch: ResponseEncodable {}

/// Lets every answer wait.
private struct Delay<Context: RequestContext>: RouterMiddleware {
  let delay: Duration

  func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    try await Task.sleep(for: delay)
    return try await next(request, context)
  }
}
