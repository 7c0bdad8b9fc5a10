import AsyncHTTPClient
import Foundation

/// A client of the W3C WebDriver protocol, whose requests and answers are JSON over HTTP.
struct WebDriver: Sendable {
  let port: UInt16

  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  private static let mostBytes = 64 << 20

  /// Sends a command to the driver, and returns its answer.
  ///
  /// - Throws: ``Refusal``, with the driver's message, if the driver refuses the command.
  @discardableResult
  func call(
    _ method: String, _ path: String, _ body: JSONValue? = nil
  ) async throws -> JSONValue {
    var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
    request.method = .init(rawValue: method)
    if let body {
      request.headers.add(name: "content-type", value: "application/json")
      request.body = .bytes(try JSONEncoder().encode(body))
    }
    // Longer than what a script in the page is given, so that the driver's refusal comes first.
    let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(85))
    let bytes = try await answer.body.collect(upTo: Self.mostBytes)
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(bytes.readableBytesView))[
      "value"]
    if value["error"].text != nil {
      let message = value["message"].text ?? "without a message"
      throw Refusal(description: "\(method) \(path): \(message.prefix(400))")
    }
    return value
  }
}
