import HTTPTypes
import Hummingbird

/// A type that prepares answers for sending. It adds a validator, compresses the body if that makes
/// the answer faster, and leaves out the body if the client already has it or the request is a HEAD
/// request.
///
/// A validator is added only to an answer that has the status 200 and a body, and may be stored. An
/// endless answer, such as a stream of events, is left unchanged, and refused for a HEAD request.
package struct Delivery: Sendable {
  /// The minimum size for compression, in bytes. Compressing an answer of one or two packets would
  /// not make it faster.
  private static let fewestBytes = 1_024

  package init() {}

  /// Returns the answer to send.
  ///
  /// - Parameters:
  ///   - response: The answer; for a HEAD request, the answer to the same GET request.
  ///   - request: The request.
  /// - Returns: The answer to send.
  /// - Throws: The error thrown by the body.
  package func delivered(_ response: Response, for request: Request) async throws -> Response {
    var response = response
    let isHead = request.method == .head
    if let bytes = try await response.body.bytes, bytes.readableBytes > 0 {
      response = try delivered(bytes, response, for: request)
    }
    guard isHead else { return response }
    // An endless body has no length to report; without a length, the server would send the end of a
    // body.
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

  /// Returns an answer without a body and without the headers that describe the body.
  private func notModified(_ headers: HTTPFields) -> Response {
    var headers = headers
    for name in [HTTPField.Name.contentLength, .contentType] { headers[name] = nil }
    var response = Response(status: .notModified, headers: headers)
    response.headers[.contentLength] = nil
    return response
  }

  /// Returns whether content of the given type is worth compressing. Text is, but pictures and
  /// compressed formats are not.
  private static func pays(_ type: String) -> Bool {
    let type = type.prefix { $0 != ";" }
    return type.hasPrefix("text/") && type != "text/event-stream"
      || ["application/json", "image/svg+xml"].contains(type)
  }
}

extension ResponseBody {
  /// The whole body; `nil` if its length is unknown.
  var bytes: ByteBuffer? {
    get async throws {
      guard contentLength != nil else { return nil }
      let collected = CollectedBytes()
      try await write(collected)
      return collected.bytes
    }
  }
}

/// A writer that collects a body in memory instead of sending it over a connection. It is a class
/// because writing consumes the writer.
private final class CollectedBytes: ResponseBodyWriter {
  private(set) var bytes = ByteBuffer()

  func write(_ buffer: ByteBuffer) {
    var buffer = buffer
    // A single piece is not copied.
    if bytes.readableBytes == 0 { bytes = buffer } else { bytes.writeBuffer(&buffer) }
  }

  func finish(_ trailingHeaders: HTTPFields?) {}
}
