import Foundation
import Hummingbird
import Logging
import PeoplePage
import Sections
import SitePages

/// What visitors see: made when the database is open, so no handler ever meets one that is not.
///
/// - Parameters:
///   - database: Where handlers read.
///   - site: Says how fresh that is.
///   - delay: How long every answer waits, to try what a slow one does.
///   - logger: Told of what Home loads.
/// - Returns: Who answers visitors.
/// - Throws: What the system says if the files of the pages are not there.
package func makeSite(
  _ database: TrackerDatabase, _ site: Site, delay: Duration, logger: Logger
) throws -> Site.Responder {
  try makeSite(database, site, delay: delay, patience: .milliseconds(300), logger: logger)
}

/// As above, for tests.
///
/// - Parameters:
///   - database: Where handlers read.
///   - site: Says how fresh that is.
///   - delay: How long every answer waits.
///   - patience: How long Home waits for what is slow.
///   - limit: How long it goes on with that.
///   - logger: Told of what Home loads.
///   - now: What time it is.
///   - answering: What answers Home, given what does so otherwise.
/// - Returns: Who answers visitors.
/// - Throws: What the system says if the files of the pages are not there.
func makeSite(
  _ database: TrackerDatabase, _ site: Site, delay: Duration = .zero, patience: Duration,
  limit: Duration = .seconds(5), logger: Logger, now: @escaping @Sendable () -> Date = { Date() },
  answering: (any PageAnswering) -> any PageAnswering = { $0 }
) throws -> Site.Responder {
  let router = Router(context: TrackerContext.self)
  router.add(middleware: TracingMiddleware())
  router.add(middleware: LogRequestsMiddleware(.debug))
  if delay > .zero { router.add(middleware: Delay(delay: delay)) }
  let (reader, layout) = (database.reader, try SiteLayout())

  let answers = Router(context: LocalContext.self)
  if delay > .zero { answers.add(middleware: Delay(delay: delay)) }
  addHomeAnswers(to: answers, reader: reader, people: site.people, now: now)
  addHomeAnswers(to: router, reader: reader, people: site.people, now: now)
  let sections = HomeSections(
    answers: answering(LocalAnswers(answers, site, logger: logger)), logger: logger, now: now,
    limit: limit, hasPeople: { site.people.isOpen })
  let home = Home(site, sections, patience: patience, now: now)
  try addHomeRoutes(to: router, home, site, layout, now: now)

  try addSearchRoutes(
    to: router, search: LaunchSearch(reader: reader), site: site, layout: layout, now: now)
  try addLaunchRoutes(to: router, reader: reader, site: site, layout: layout, now: now)
  try addPeopleRoutes(to: router, site.people, layout: layout)
  let responder = RouteResponder(router)
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
