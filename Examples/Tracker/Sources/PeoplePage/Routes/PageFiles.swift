import Foundation
import Hummingbird

/// The files of the page, read once.
struct PageFiles: Sendable {
  static let folder = Bundle.module.bundleURL.appending(path: "Page", directoryHint: .isDirectory)

  private let files: [String: ByteBuffer]

  /// - Throws: What the system says if the files cannot be read.
  init() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    files = try Dictionary(
      uniqueKeysWithValues: names.map { name in
        (name, ByteBuffer(bytes: try Data(contentsOf: Self.folder.appending(path: name))))
      })
  }

  /// The answer that is a file; `nil` if there is none of that name.
  func response(_ name: String) -> Response? {
    guard let file = files[name], let type = Self.type(of: name) else { return nil }
    return Response(
      status: .ok,
      headers: [
        .contentType: type, .contentLength: "\(file.readableBytes)", .cacheControl: "no-cache",
        .contentSecurityPolicy: Self.policy, .xContentTypeOptions: "nosniff",
      ], body: ResponseBody(byteBuffer: file))
  }

  /// Nothing but what the page brings along, and no markup made of text.
  private static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'
    """

  private static func type(of name: String) -> String? {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "mjs": "text/javascript; charset=utf-8"
    default: nil
    }
  }
}
