import Foundation
import GRDB
import Hummingbird
import SitePages

/// Adds `GET /launches/{id}` for the page of a launch, and `GET /launches/{id}.json` for its data.
///
/// If the identifier of a launch itself ends in `.json`, `GET /launches/{id}` sends the page.
///
/// - Parameters:
///   - router: The router that gets the routes.
///   - reader: The migrated database.
///   - site: The site, whose state indicates how recent the data is.
///   - layout: The layout of all pages.
///   - now: A closure that returns the current time, to determine which launches are overdue.
/// - Throws: An error if the page files cannot be read.
public func addLaunchRoutes<Context: RequestContext>(
  to router: some RouterMethods<Context>, reader: any DatabaseReader, site: Site,
  layout: SiteLayout, now: @escaping @Sendable () -> Date = { Date() }
) throws {
  let template = try LaunchFiles.template("launch")
  router.get("launches/:id") { request, context -> Response in
    let id = FormQuery.text(try context.parameters.require("id")[...], plusIsBlank: false)
    if let detail = try await reader.read({ try LaunchDetail.fetch(id, $0) }) {
      let query = SearchQuery.normalized(FormQuery(request.uri.query)["q"] ?? "")
      let time = now()
      let document = LaunchDocument(
        detail, foundBy: query, now: Int64(time.timeIntervalSince1970))
      return layout.response(
        SitePage(
          title: detail.launch.name, place: .launches,
          notice: SiteStanding(site.screen, now: time).loss, content: template.render(document),
          styles: [LaunchFiles.style]))
    }
    if !id.hasSuffix(".json"), request.wantsPage {
      return layout.errorPage(
        .notFound, "There is no such launch",
        "No launch has the identifier “\(id.prefix(100))”. All launches can be searched.",
        link: SitePage.Link("Search launches", to: SitePage.Place.launches.address))
    }
    let plain = id.hasSuffix(".json") ? String(id.dropLast(5)) : id
    guard plain != id, let detail = try await reader.read({ try LaunchDetail.fetch(plain, $0) })
    else {
      throw HTTPError(.notFound, message: "no launch has the identifier \(plain.prefix(100))")
    }
    return try context.responseEncoder.encode(detail, from: request, context: context)
  }
}
