import HTTPTypes
import Hummingbird

/// How an answer goes out: with a validator, not at all if the client has it, compressed where that
/// pays, and without a body where only its head was asked for.
///
/// What is not to be stored has no validator, and what has no end, such as events, is left as it
/// is.
package struct Delivery: Sendable {
  /// Less than fits into a packet or two takes no less time when it is compressed.
  private static let fewestBytes = 1_024

  package init() {}

  /// - Parameters:
  ///   - response: The answer to a GET, if the request is a HEAD.
  ///   - request: What was asked.
  /// - Returns: What is sent.
  /// - Throws: What the body throws.
  package func delivered(_ response: Response, for request: Request) async throws -> Response {
    var response = response
    let isHead = request.method == .head
    if let bytes = try await response.body.bytes, bytes.readableBytes > 0 {
      response = try delivered(bytes, response, for: request)
    }
    guard isHead else { return response }
    // What has no end has no length to tell; without one the server would send the end of a body.
    guard response.body.contentLength != nil else {
      return Response(status: .methodNotAllowed, headers: [.allow: "GET", .contentLength: "0"])
    }
    var head = response.createHeadResponse()
    head.headers[.contentLength] = response.headers[.contentLength]
    return head
  }

  private func delivered(
    _ bytes: ByteBuffer, _ original: Response, for request: Request
  ) throws -> Response {
    var response = original
    let isCompressible =
      bytes.readableBytes >= Self.fewestBytes && Self.pays(response.headers[.contentType] ?? "")
      && response.headers[.contentEncoding] == nil
    if isCompressible {
      let vary = response.headers[.vary]
      response.headers[.vary] = vary.map { "\($0), Accept-Encoding" } ?? "Accept-Encoding"
    }
    let isCompressed =
      isCompressible && AcceptedEncodings(request.headers[values: .acceptEncoding]).hasGzip
    let isAsked = request.method == .get || request.method == .head
    if response.status == .ok, isAsked, response.headers[.cacheControl] != "no-store" {
      let tag = EntityTag(bytes, encoding: isCompressed ? "gzip" : nil)
      response.headers[.eTag] = tag.text
      if tag.isAmong(request.headers[values: .ifNoneMatch]) {
        return notModified(response.headers)
      }
    }
    guard isCompressed, let compressed = Gzip.compressed(bytes) else { return response }
    response.headers[.contentEncoding] = "gzip"
    response.headers[.contentLength] = "\(compressed.readableBytes)"
    return Response(
      status: response.status, headers: response.headers,
      body: ResponseBody(byteBuffer: compressed))
  }

  /// Only what a cache may have to bring up to date.
  private func notModified(_ headers: HTTPFields) -> Response {
    var headers = headers
    for name in [HTTPField.Name.contentLength, .contentType] { headers[name] = nil }
    var response = Response(status: .notModified, headers: headers)
    response.headers[.contentLength] = nil
    return response
  }

  /// Text does; pictures and what is compressed already do not.
  private static func pays(_ type: String) -> Bool {
    let type = type.prefix { $0 != ";" }
    return type.hasPrefix("text/") && type != "text/event-stream"
      || ["application/json", "image/svg+xml"].contains(type)
  }
}

extension ResponseBody {
  /// All of it, if it is known how much that is.
  var bytes: ByteBuffer? {
    get async throws {
      guard contentLength != nil else { return nil }
      let collected = CollectedBytes()
      try await write(collected)
      return collected.bytes
    }
  }
}

/// Takes the place of a connection. A class, because who writes to it uses it up.
private final class CollectedBytes: ResponseBodyWriter {
  private(set) var bytes = ByteBuffer()

  func write(_ buffer: ByteBuffer) {
    var buffer = buffer
    // What comes in one piece is not copied.
    if bytes.readableBytes == 0 { bytes = buffer } else { bytes.writeBuffer(&buffer) }
  }

  func finish(_ trailingHeaders: HTTPFields?) {}
}
