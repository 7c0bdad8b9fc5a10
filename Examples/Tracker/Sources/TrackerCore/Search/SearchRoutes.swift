import Foundation
import Hummingbird
import SitePages

/// Adds `GET /launches?q=&page=`, which returns JSON, and `GET /search`, which returns a page.
///
/// - Parameters:
///   - router: The router that gets the routes.
///   - search: The search.
///   - site: The site, whose state indicates how recent the data is.
///   - layout: The layout of all pages.
///   - now: A closure that returns the current time, to determine which launches are overdue.
/// - Throws: An error if the page files cannot be read.
public func addSearchRoutes<Context: RequestContext>(
  to router: some RouterMethods<Context>, search: LaunchSearch, site: Site,
  layout: SiteLayout, now: @escaping @Sendable () -> Date = { Date() }
) throws {
  router.get("launches") { request, _ -> LaunchPage in
    let query = FormQuery(request.uri.query)
    do {
      return try await search.page(of: query["q"] ?? "", after: query.page)
    } catch let refusal as SearchRefusal {
      throw HTTPError(.badRequest, message: "\(refusal)")
    }
  }
  let template = try LaunchFiles.template("search")
  router.get("search") { request, _ -> Response in
    let query = FormQuery(request.uri.query)
    let text = SearchQuery.normalized(query["q"] ?? "")
    var status = HTTPResponse.Status.ok
    let time = now()
    let document: SearchDocument
    do {
      let page = try await search.page(of: text, after: query.page)
      document = try SearchDocument(
        page, query: text, isLaterPage: query.page != nil, now: Int64(time.timeIntervalSince1970))
    } catch let refusal as SearchRefusal {
      guard request.wantsPage else { throw HTTPError(.badRequest, message: "\(refusal)") }
      document = SearchDocument(refusal, query: text)
      status = .badRequest
    }
    let page = SitePage(
      title: "Launches", place: .launches, notice: SiteStanding(site.screen, now: time).loss,
      content: template.render(document), styles: [LaunchFiles.style],
      scripts: [LaunchFiles.script], isBusy: true)
    return layout.response(page, status: status)
  }
  try PageFiles(in: .module, folder: LaunchFiles.name).addRoutes(to: router, at: LaunchFiles.path)
}

extension FormQuery {
  /// The cursor of the page; `nil` if it is missing or empty, as in a form without a page.
  fileprivate var page: String? { self["page"].flatMap { $0.isEmpty ? nil : $0 } }
}

extension LaunchPage: ResponseEncodable {}
