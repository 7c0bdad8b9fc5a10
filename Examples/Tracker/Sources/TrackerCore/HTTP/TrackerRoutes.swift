import Foundation
import Hummingbird
import Logging
import PeoplePage
import Sections
import SitePages

/// Returns the responder for visitors. It is created only after the database has been opened, so
/// that no handler finds the database closed.
///
/// - Parameters:
///   - database: The database.
///   - site: The site.
///   - delay: The delay of every answer, to test slow answers.
///   - logger: The logger for loads of Home.
/// - Returns: The responder.
/// - Throws: An error if the page files cannot be read.
package func makeSite(
  _ database: TrackerDatabase, _ site: Site, delay: Duration, logger: Logger
) throws -> Site.Responder {
  try makeSite(database, site, delay: delay, patience: .milliseconds(300), logger: logger)
}

/// Returns the responder for visitors. The additional parameters are for tests.
///
/// - Parameters:
///   - database: The database.
///   - site: The site.
///   - delay: The delay of every answer.
///   - patience: The time that Home waits for slow sections.
///   - limit: The time limit of a section.
///   - logger: The logger for loads of Home.
///   - now: A closure that returns the current time.
///   - answering: A closure that returns the source of pages for Home, given the default source.
/// - Returns: The responder.
/// - Throws: An error if the page files cannot be read.
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

/// A middleware that delays every answer.
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
