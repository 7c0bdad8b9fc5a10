import Foundation
import Hummingbird

/// The answer to a request that is refused or cannot be answered: one shape for all of them, or a
/// page for those who ask for one.
///
/// ```json
/// {"error":{"message":"nothing is at /nowhere","status":404}}
/// ```
struct ErrorAnswer: Sendable {
  let status: HTTPResponse.Status

  /// A sentence.
  let message: String

  let headers: HTTPFields

  init(_ status: HTTPResponse.Status, _ message: String, headers: HTTPFields = [:]) {
    self.status = status
    self.message = message
    self.headers = headers
  }

  /// What an answer that has gone wrong says already, in whichever shape; `nil` if nothing is wrong
  /// with it, or it is a page or has another shape.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - request: What was asked.
  /// - Throws: What the body throws.
  init?(_ response: Response, to request: Request) async throws {
    guard response.status.code >= 400 else { return nil }
    let type = response.headers[.contentType] ?? ""
    guard let bytes = try await response.body.bytes,
      bytes.readableBytes == 0 || type.hasPrefix("application/json")
    else { return nil }
    let told = try? JSONDecoder().decode(Told.self, from: Data(bytes.readableBytesView))
    // Whether the service is ready, say, is told by a status, too, and is no error.
    guard told != nil || bytes.readableBytes == 0 else { return nil }
    var headers = response.headers
    (headers[.contentType], headers[.contentLength]) = (nil, nil)
    self.init(
      response.status, told?.message ?? Self.message(for: response.status, request),
      headers: headers)
  }

  private static func message(for status: HTTPResponse.Status, _ request: Request) -> String {
    let path = request.uri.path.prefix(200)
    return switch status {
    case .notFound: "nothing is at \(path)"
    case .contentTooLarge: "the request is too long"
    default: status.reasonPhrase.lowercased()
    }
  }

  /// The answer as it is sent.
  ///
  /// - Parameter request: Says whether it is to be a page.
  /// - Returns: The shape, or the page.
  func response(to request: Request) -> Response {
    var headers = headers
    headers[.vary] = "Accept"
    headers[.cacheControl] = headers[.cacheControl] ?? "no-store"
    headers[.xContentTypeOptions] = "nosniff"
    if request.wantsPage, var page = ErrorPage.response(status, message) {
      for field in headers { page.headers[field.name] = field.value }
      return page
    }
    headers[.contentType] = "application/json; charset=utf-8"
    let shape = Shape(error: .init(message: message, status: status.code))
    let bytes = (try? JSONEncoder.sorted.encode(shape)) ?? Data()
    return Response(
      status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  private struct Shape: Encodable {
    struct Refusal: Encodable {
      let message: String
      let status: Int
    }

    let error: Refusal
  }

  /// What routes say, before it is brought into the one shape.
  private struct Told: Decodable {
    struct Refusal: Decodable { let message: String }
    private enum Keys: CodingKey { case error }

    let message: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      message =
        try (try? container.decode(String.self, forKey: .error))
        ?? container.decode(Refusal.self, forKey: .error).message
    }
  }
}

extension Request {
  /// Whether who asks would rather see a page: a browser that goes somewhere, and no script.
  var wantsPage: Bool {
    let qualities = AcceptedEncodings.qualities(of: headers[values: .accept])
    let page = qualities["text/html", default: 0]
    return page > 0 && page >= qualities["application/json", default: 0]
  }
}
