import Foundation
import Hummingbird
import SitePages

/// Adds Home at `/`.
///
/// - Parameters:
///   - router: The router that gets the routes.
///   - home: The contents of Home.
///   - site: The site, whose state is shown.
///   - layout: The layout of all pages.
///   - now: A closure that returns the current time.
/// - Throws: An error if the page files cannot be read.
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

/// The page shown instead of Home while there is nothing to show. It explains the problem and the
/// remedy.
struct ClosedHome: Sendable {
  /// Home's style sheet and script, which this page uses as well.
  let files: PageFiles

  private let page: HomePage
  private let layout: SiteLayout

  /// The path of the files.
  static let filesPath = "\(SiteLayout.filesPath)/home"

  /// Reads the page files.
  ///
  /// - Parameter layout: The layout of all pages.
  /// - Throws: An error if the files cannot be read.
  init(_ layout: SiteLayout) throws {
    (page, self.layout) = (try HomePage(), layout)
    files = try PageFiles(in: .module, folder: "HomeFiles")
  }

  /// Returns the page if it is the appropriate answer to a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - site: The site.
  /// - Returns: The page; `nil` if the request needs another answer.
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
