import AsyncHTTPClient
import Foundation

/// A source of pages, such as an HTTP server or an object in this process.
public protocol PageAnswering: Sendable {
  /// Answers a request for a page.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - mostBytes: The maximum useful size of a body, in bytes. A longer body may be truncated,
  ///     but the truncated body must still be longer than `mostBytes`.
  /// - Returns: The answer, with any status.
  /// - Throws: An error that explains why there is no answer.
  func answer(to request: SectionRequest, mostBytes: Int) async throws -> PageAnswer
}

/// The answer to a request for a page.
public struct PageAnswer: Sendable {
  /// The HTTP status; 200 if there is a page.
  public let status: UInt

  /// The status in words.
  public let reason: String

  /// The headers, keyed by lowercase name.
  public let headers: [String: String]

  /// The page, as JSON.
  public let body: Data

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - status: The HTTP status.
  ///   - reason: The status in words.
  ///   - headers: The headers. If names differ only in case, one of them is used.
  ///   - body: The page.
  public init(status: UInt, reason: String, headers: [String: String], body: Data) {
    (self.status, self.reason, self.body) = (status, reason, body)
    self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
  }
}

/// A source of pages that sends requests to servers over HTTP.
public struct HTTPAnswers: PageAnswering {
  private let client: HTTPClient

  /// Creates a source of pages.
  ///
  /// - Parameter client: The client, whose configuration determines how redirects are followed.
  public init(_ client: HTTPClient) {
    self.client = client
  }

  /// Sends a request. Only the client and the traits of the request limit the time.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - mostBytes: The number of bytes after which the rest of a body is not read.
  /// - Returns: The answer.
  /// - Throws: The client's error if there is no complete answer. If no request can be sent to the
  ///   address, the section's error is not transient.
  public func answer(to request: SectionRequest, mostBytes: Int) async throws -> PageAnswer {
    var message = HTTPClientRequest(url: request.url)
    for (name, value) in request.headers { message.headers.add(name: name, value: value) }
    let response: HTTPClientResponse
    do {
      // The traits of the request limit the time.
      response = try await client.execute(message, deadline: .distantFuture)
    } catch let error as HTTPClientError where error.isOfAddress {
      throw PageProblem.noAddress("\(error)")
    }
    let headers = Dictionary(response.headers.map { ($0.name, $0.value) }) { first, _ in first }
    var body = Data()
    // The body of an error answer is not read.
    if response.status == .ok {
      for try await part in response.body {
        body.append(contentsOf: part.readableBytesView)
        if body.count > mostBytes { break }
      }
    }
    return PageAnswer(
      status: response.status.code, reason: response.status.reasonPhrase, headers: headers,
      body: body)
  }
}

extension HTTPClientError {
  /// Whether no request can be sent because the URL cannot be the URL of an HTTP server.
  fileprivate var isOfAddress: Bool {
    let errors: [HTTPClientError] = [
      .invalidURL, .emptyScheme, .unsupportedScheme(""), .emptyHost, .missingSocketPath,
    ]
    // The short description of an unsupported scheme does not contain the scheme.
    return errors.contains { $0.shortDescription == shortDescription }
  }
}
