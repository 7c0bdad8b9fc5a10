import Hummingbird
import HummingbirdTesting
import SitePages
import Testing

/// Tests for the layout of all pages.
@Suite struct LayoutTests {
  let layout: SiteLayout

  init() throws {
    layout = try SiteLayout()
  }

  /// Returns the text of a response, as a server sends it.
  func text(of response: Response) async throws -> String {
    let router = Router()
    router.get("/") { _, _ in response }
    return try await Application(router: router).test(.router) { client in
      String(buffer: try await client.execute(uri: "/", method: .get).body)
    }
  }

  @Test(arguments: SitePage.Place.allCases)
  func everyPageLeadsToAllAndSaysWhichItIs(place: SitePage.Place) async throws {
    let content = try PageTemplate("<p>Hello").render([String: String]())
    let page = SitePage(title: "T", place: place, content: content)
    let text = try await text(of: layout.response(page))

    for other in SitePage.Place.allCases {
      #expect(text.contains(#"<a href="\#(other.address)" data-key="#))
    }
    #expect(text.contains(#"aria-current="page">\#(place.name)</a>"#))
    #expect(text.components(separatedBy: "aria-current").count == 2)
    #expect(text.contains("<p>Hello"))
  }

  /// Checks that values are escaped, even if a sign and the next scalar form a single character.
  @Test(arguments: ["<script>", "<\u{301}b>", "\"\u{301} onclick='x'", "&amp;", "{{title}}"])
  func whatOthersSayIsText(hostile: String) async throws {
    let template = try PageTemplate(#"<a title="{{.}}">{{.}}</a>"#)
    let page = SitePage(title: hostile, content: template.render(hostile))
    let text = try await text(of: layout.response(page))

    let scalars = hostile.unicodeScalars.map { scalar in
      switch scalar {
      case "<": "&lt;"
      case ">": "&gt;"
      case "&": "&amp;"
      case "\"": "&quot;"
      case "'": "&#39;"
      default: String(scalar)
      }
    }
    let escaped = scalars.joined()
    #expect(text.unicodeScalars.contains("<title>\(escaped) · Launch".unicodeScalars))
    #expect(text.unicodeScalars.contains(#"<a title="\#(escaped)">\#(escaped)</a>"#.unicodeScalars))
  }

  @Test func anErrorIsAPageOfTheSite() async throws {
    let response = layout.errorPage(.notFound, "There is no such page", "Nothing is at <b>.")

    #expect(response.status == .notFound)
    #expect(response.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'; ") == true)
    let text = try await text(of: response)
    #expect(text.contains("<h1>There is no such page</h1>"))
    #expect(text.contains("Nothing is at &lt;b&gt;."))
    #expect(text.contains(#"href="/people""#))
  }

  @Test(arguments: [
    ("site.css", "text/css; charset=utf-8"), ("site.mjs", "text/javascript; charset=utf-8"),
    ("icon.svg", "image/svg+xml"),
  ])
  func filesComeWithTheirTypes(name: String, type: String) throws {
    let response = try #require(layout.files.response(name))

    #expect(response.headers[.contentType] == type)
    #expect(response.headers[.xContentTypeOptions] == "nosniff")
  }

  @Test func whatIsNoFileOfThePageIsNotSent() {
    for name in ["layout.mustache", "../Package.swift", ""] {
      #expect(layout.files.response(name) == nil)
    }
  }
}
