import Foundation
import Hummingbird

/// The answer to a request that is refused or fails. Clients that prefer a page get a page; all
/// others get JSON, always in the same format.
///
/// ```json
/// {"error":{"message":"nothing is at /nowhere","status":404}}
/// ```
struct ErrorAnswer: Sendable {
  let status: HTTPResponse.Status

  /// The message.
  let message: String

  let headers: HTTPFields

  init(_ status: HTTPResponse.Status, _ message: String, headers: HTTPFields = [:]) {
    self.status = status
    self.message = message
    self.headers = headers
  }

  /// Reads the message from an error answer, in any of the formats that routes use. Returns `nil`
  /// if the answer is not an error, is a page, or has another format.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - request: The request.
  /// - Throws: The error thrown by the body.
  init?(_ response: Response, to request: Request) async throws {
    guard response.status.code >= 400 else { return nil }
    let type = response.headers[.contentType] ?? ""
    guard let bytes = try await response.body.bytes,
      bytes.readableBytes == 0 || type.hasPrefix("application/json")
    else { return nil }
    let told = try? JSONDecoder().decode(Told.self, from: Data(bytes.readableBytesView))
    // An answer such as the 503 of a readiness check has a body of its own, and is not an error
    // answer.
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

  /// Returns the answer to send.
  ///
  /// - Parameter request: The request, which determines whether the answer is JSON or a page.
  /// - Returns: The answer.
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

  /// An error message, in one of the formats that routes use.
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
  /// Whether the client prefers a page. A browser that opens a URL does; a script does not.
  var wantsPage: Bool {
    let qualities = AcceptedEncodings.qualities(of: headers[values: .accept])
    let page = qualities["text/html", default: 0]
    return page > 0 && page >= qualities["application/json", default: 0]
  }
}
