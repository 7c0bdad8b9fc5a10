import AsyncHTTPClient
import Foundation

/// Answers the requests for pages: a server over HTTP, or something in this process.
public protocol PageAnswering: Sendable {
  /// Answers a request for a page.
  ///
  /// - Parameters:
  ///   - request: For which page.
  ///   - mostBytes: How many bytes of a body are of use; one with more may be cut behind these.
  /// - Returns: What came, well or not.
  /// - Throws: Whatever keeps an answer from coming.
  func answer(to request: SectionRequest, mostBytes: Int) async throws -> PageAnswer
}

/// What comes of a request for a page.
public struct PageAnswer: Sendable {
  /// The status of HTTP; 200 if there is a page.
  public let status: UInt

  /// The status in words.
  public let reason: String

  /// The headers, by their names in lower case.
  public let headers: [String: String]

  /// The page, as JSON.
  public let body: Data

  /// Makes an answer.
  ///
  /// - Parameters:
  ///   - status: The status of HTTP.
  ///   - reason: The status in words.
  ///   - headers: The headers; of names that differ in case only, one counts.
  ///   - body: The page.
  public init(status: UInt, reason: String, headers: [String: String], body: Data) {
    (self.status, self.reason, self.body) = (status, reason, body)
    self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
  }
}

/// Asks servers over HTTP.
public struct HTTPAnswers: PageAnswering {
  private let client: HTTPClient

  /// - Parameter client: Makes the requests; its configuration says how redirects are followed.
  public init(_ client: HTTPClient) {
    self.client = client
  }

  /// Asks, and waits for as long as the client or the traits of the request allow.
  ///
  /// - Parameters:
  ///   - request: For which page.
  ///   - mostBytes: How much of a body is read.
  /// - Returns: What came.
  /// - Throws: What the client says if nothing did.
  public func answer(to request: SectionRequest, mostBytes: Int) async throws -> PageAnswer {
    var message = HTTPClientRequest(url: request.url)
    for (name, value) in request.headers { message.headers.add(name: name, value: value) }
    // How long it may take is said by the traits of the request.
    let response = try await client.execute(message, deadline: .distantFuture)
    let headers = Dictionary(response.headers.map { ($0.name, $0.value) }) { first, _ in first }
    var body = Data()
    // What goes with a refusal is not read.
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
