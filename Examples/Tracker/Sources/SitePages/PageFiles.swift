import Foundation
import HTTPTypes
import Hummingbird

/// The files that pages load, such as scripts. They are read once, and sent with their content
/// types.
public struct PageFiles: Sendable {
  private let files: [String: Response]

  /// Reads all scripts, style sheets and icons in a folder.
  ///
  /// - Parameters:
  ///   - bundle: The resource bundle of a module.
  ///   - folder: The folder in the bundle.
  /// - Throws: ``MissingFile`` if there is no such folder, or a file cannot be read.
  public init(in bundle: Bundle, folder: String) throws {
    let place = bundle.bundleURL.appending(path: folder, directoryHint: .isDirectory)
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: place.path) else {
      throw MissingFile(name: folder)
    }
    var files: [String: Response] = [:]
    for name in names {
      guard let type = Self.type(of: name) else { continue }
      let bytes = ByteBuffer(bytes: try bundle.file(name, folder: folder))
      files[name] = Response(
        status: .ok, headers: .page(type: type), body: ResponseBody(byteBuffer: bytes))
    }
    self.files = files
  }

  /// Returns the response with a file.
  ///
  /// - Parameter name: The name of the file.
  /// - Returns: The response; `nil` if there is no such file.
  public func response(_ name: String) -> Response? { files[name] }

  /// Adds a route for each file.
  ///
  /// - Parameters:
  ///   - router: The router that gets the routes.
  ///   - path: The path before the file names, such as `site`.
  public func addRoutes<Context: RequestContext>(
    to router: some RouterMethods<Context>, at path: String
  ) {
    for (name, file) in files { router.get(RouterPath("\(path)/\(name)")) { _, _ in file } }
  }

  private static func type(of name: String) -> String? {
    switch name.split(separator: ".").last {
    case "css": "text/css; charset=utf-8"
    case "js", "mjs": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    default: nil
    }
  }
}

/// An error thrown when a file or folder was not bundled with the program, or cannot be read.
public struct MissingFile: Error, CustomStringConvertible {
  let name: String

  /// The error as a sentence.
  public var description: String {
    "the file \(name) of the pages did not come with the program; build it anew, or install its "
      + "resources beside it"
  }
}

extension Bundle {
  func file(_ name: String, folder: String) throws -> Data {
    let place = bundleURL.appending(path: folder, directoryHint: .isDirectory)
    guard let data = try? Data(contentsOf: place.appending(path: name)) else {
      throw MissingFile(name: name)
    }
    return data
  }
}

extension HTTPFields {
  /// Returns the headers for a page, or for a file that a page loads.
  ///
  /// - Parameter type: The content type.
  /// - Returns: The headers.
  public static func page(type: String) -> HTTPFields {
    var headers: HTTPFields = [
      .contentType: type, .cacheControl: "no-cache", .contentSecurityPolicy: policy,
      .xContentTypeOptions: "nosniff",
    ]
    if let name = HTTPField.Name("Referrer-Policy") { headers[name] = "no-referrer" }
    return headers
  }

  /// The content security policy. Only the site's own files may run or load, scripts may not turn
  /// strings into markup, and no page may embed this one in a frame.
  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
    "connect-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
    "require-trusted-types-for 'script'", "trusted-types 'none'",
  ].joined(separator: "; ")
}
