import Hummingbird

/// What is at `/`: what there is to see, and where.
struct FrontPage: ResponseGenerator {
  private let screen: Site.Screen

  init(_ screen: Site.Screen) {
    self.screen = screen
  }

  func response(from request: Request, context: some RequestContext) -> Response {
    Response(
      status: .ok,
      headers: [
        .contentType: "text/html; charset=utf-8", .cacheControl: "no-cache",
        .contentSecurityPolicy: Self.policy, .xContentTypeOptions: "nosniff",
      ], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }

  var text: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>The launch tracker</title>
    <link rel="icon" href="/search/icon.svg">
    </head>
    <body>
    <main>
    <h1>The launch tracker</h1>
    <p>It is \(Self.escaped("\(screen)")).</p>\(retry)
    <ul>
    <li><a href="/search">Launches</a>
    <li><a href="/people">People</a>
    <li><a href="/boot">How it booted</a>
    </ul>
    </main>
    </body>
    </html>

    """
  }

  /// What is stale can be tried again.
  private var retry: String {
    guard case .stale = screen else { return "" }
    return """

      <form method="post" action="/boot/retry"><button>Retry</button></form>
      """
  }

  /// There is nothing on it but text, links, an icon and a button.
  private static let policy = """
    default-src 'none'; img-src 'self'; base-uri 'none'; form-action 'self'; \
    frame-ancestors 'none'
    """

  /// Why something is stale may be the words of a feed.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}
