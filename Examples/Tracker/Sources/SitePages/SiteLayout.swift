import Foundation
import Hummingbird

/// The layout of all pages of the site, with the navigation, the style sheet and the keyboard
/// shortcuts.
///
/// ```swift
/// let layout = try SiteLayout()
/// layout.files.addRoutes(to: router, at: SiteLayout.filesPath)
/// router.get("people") { _, _ in
///   layout.response(
///     SitePage(title: "People", place: .people, content: people.render(values),
///       scripts: ["/people/files/main.mjs"]))
/// }
/// ```
public struct SiteLayout: Sendable {
  /// The path of the layout's files.
  public static let filesPath = "site"

  /// The style sheet, the script for the keyboard shortcuts, and the icon.
  public let files: PageFiles

  private let layout: PageTemplate
  private let problem: PageTemplate

  /// Reads the layout.
  ///
  /// - Throws: ``MissingFile`` if the layout's files were not bundled with the program.
  public init() throws {
    files = try PageFiles(in: .module, folder: "Files")
    layout = try PageTemplate("layout", in: .module, folder: "Files")
    problem = try PageTemplate("problem", in: .module, folder: "Files")
  }

  /// Returns a page in the layout.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - status: The status of the response.
  /// - Returns: The response.
  public func response(_ page: SitePage, status: HTTPResponse.Status = .ok) -> Response {
    let text = layout.render(Values(page)).text
    return Response(
      status: status, headers: .page(type: "text/html; charset=utf-8"),
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  /// Returns a page that explains an error, with the navigation.
  ///
  /// - Parameters:
  ///   - status: The status of the response.
  ///   - title: A short title, such as “There is no such page”.
  ///   - sentence: The problem and the remedy, as plain text.
  ///   - link: A link to the remedy, shown first.
  /// - Returns: The response.
  public func errorPage(
    _ status: HTTPResponse.Status, _ title: String, _ sentence: String,
    link: SitePage.Link? = nil
  ) -> Response {
    let content = problem.render(
      Problem(title: title, sentence: sentence, code: status.code, link: link))
    return response(SitePage(title: title, content: content), status: status)
  }

  private struct Problem {
    let title: String
    let sentence: String
    let code: Int
    let link: SitePage.Link?
  }

  private struct Values {
    let title: String
    let places: [Place]
    let notice: SitePage.Notice?
    let content: String
    let styles: [String]
    let scripts: [String]
    let kind: String
    let isBusy: Bool

    init(_ page: SitePage) {
      title = page.title
      places = SitePage.Place.allCases.map { Place($0, isCurrent: $0 == page.place) }
      (notice, content) = (page.notice, page.content.text)
      (styles, scripts) = (page.styles, page.scripts)
      (kind, isBusy) = (page.kind, page.isBusy)
    }
  }

  private struct Place {
    let name: String
    let address: String
    let key: Int
    let isCurrent: Bool

    init(_ place: SitePage.Place, isCurrent: Bool) {
      (name, address, key) = (place.name, place.address, place.key)
      self.isCurrent = isCurrent
    }
  }
}
