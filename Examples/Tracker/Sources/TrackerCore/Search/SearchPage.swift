import Foundation
import HTTPTypes
import Hummingbird

/// The page for people, with its script and style: files that come with the program, read once.
struct SearchPage: Sendable {
  /// A file and how it is sent.
  struct File: Sendable {
    let path: String
    let type: String
    let content: ByteBuffer

    var response: Response {
      var headers = SearchPage.headers
      headers[.contentType] = type
      return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: content))
    }
  }

  struct MissingFile: Error, CustomStringConvertible {
    let name: String

    var description: String {
      "the page's file \(name) did not come with the program; build it anew, or install its "
        + "resources beside it"
    }
  }

  let files: [File]

  init() throws {
    files = try [
      Self.file("search.html", at: "search", "text/html; charset=utf-8"),
      Self.file("search.js", at: "search/search.js", "text/javascript; charset=utf-8"),
      Self.file("store.js", at: "search/store.js", "text/javascript; charset=utf-8"),
      Self.file("search.css", at: "search/search.css", "text/css; charset=utf-8"),
      Self.file("icon.svg", at: "search/icon.svg", "image/svg+xml"),
    ]
  }

  private static func file(_ name: String, at path: String, _ type: String) throws -> File {
    guard let url = Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Page")
    else { throw MissingFile(name: name) }
    return File(path: path, type: type, content: ByteBuffer(bytes: try Data(contentsOf: url)))
  }

  /// Nothing but what the page itself brings may run, and nobody may frame it.
  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
    "connect-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  private static let headers: HTTPFields = {
    var headers: HTTPFields = [
      .contentSecurityPolicy: policy, .cacheControl: "no-cache", .xContentTypeOptions: "nosniff",
    ]
    if let name = HTTPField.Name("Referrer-Policy") { headers[name] = "no-referrer" }
    return headers
  }()
}
