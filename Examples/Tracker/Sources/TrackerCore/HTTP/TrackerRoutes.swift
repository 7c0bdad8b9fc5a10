import Hummingbird
import PeoplePage

/// What visitors see: made when the database is open, so no handler ever meets one that is not.
///
/// - Parameters:
///   - database: Where handlers read.
///   - site: Says how fresh that is.
///   - delay: How long every answer waits, to try what a slow one does.
/// - Returns: Who answers visitors.
/// - Throws: What the system says if the files of the pages are not there.
package func makeSite(
  _ database: TrackerDatabase, _ site: Site, delay: Duration
) throws -> Site.Responder {
  let router = Router(options: .autoGenerateHeadEndpoints)
  router.add(middleware: TracingMiddleware())
  router.add(middleware: LogRequestsMiddleware(.debug))
  if delay > .zero { router.add(middleware: Delay(delay: delay)) }
  router.get("/") { _, _ in FrontPage(site.screen) }
  try addSearchRoutes(to: router, search: LaunchSearch(reader: database.reader))
  addScreenRoutes(to: router, reader: database.reader)
  try addPeopleRoutes(to: router, site.people)
  let responder = router.buildResponder()
  return { request, context in try await responder.respond(to: request, context: context) }
}

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
