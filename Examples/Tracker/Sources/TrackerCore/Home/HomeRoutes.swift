import Foundation
import Hummingbird
import SitePages

/// Adds Home, at `/`.
///
/// - Parameters:
///   - router: Gets the routes.
///   - home: What is on it.
///   - site: How it stands.
///   - layout: What all pages have in common.
///   - now: What time it is.
/// - Throws: What reading the page's files throws.
func addHomeRoutes<Context: RequestContext>(
  to router: some RouterMethods<Context>, _ home: Home, _ site: Site, _ layout: SiteLayout,
  now: @escaping @Sendable () -> Date
) throws {
  let page = try HomePage()
  router.get("/") { request, _ in
    let query = FormQuery(request.uri.query)
    let contents = await home.contents(of: query["only"].flatMap(HomeSections.Name.init))
    let time = now()
    let standing = SiteStanding(site.screen, now: time)
    return layout.response(
      page.page(contents, standing, HomeView(query), site.people, now: time))
  }
}

/// Home while there is nothing to show: what is wrong, and what can be done.
struct ClosedHome: Sendable {
  /// The style and the script of Home, open or not.
  let files: PageFiles

  private let page: HomePage
  private let layout: SiteLayout

  /// Where the files are.
  static let filesPath = "\(SiteLayout.filesPath)/home"

  /// - Parameter layout: What all pages have in common.
  /// - Throws: What reading the page's files throws.
  init(_ layout: SiteLayout) throws {
    (page, self.layout) = (try HomePage(), layout)
    files = try PageFiles(in: .module, folder: "HomeFiles")
  }

  /// - Parameters:
  ///   - request: What is asked.
  ///   - site: Whose doors may be closed.
  /// - Returns: The page; `nil` if the site has another answer.
  func response(to request: Request, _ site: Site) -> Response? {
    guard request.uri.path == "/", request.method == .get, request.wantsPage,
      case .offline = site.screen
    else { return nil }
    let (view, now) = (HomeView(FormQuery(nil)), Date())
    let standing = SiteStanding(site.screen, now: now)
    var response = layout.response(
      page.page(nil, standing, view, site.people, now: now), status: .serviceUnavailable)
    response.headers[.retryAfter] = "1"
    response.headers[.cacheControl] = "no-store"
    return response
  }
}
