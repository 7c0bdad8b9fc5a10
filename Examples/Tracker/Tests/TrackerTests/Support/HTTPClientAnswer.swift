import AsyncHTTPClient
import NIOCore

/// The answer to a GET request.
struct HTTPClientAnswer: Sendable {
  let status: UInt
  let headers: [String: String]
  let text: String

  init(_ url: String) async throws {
    let response = try await HTTPClient.shared.execute(
      HTTPClientRequest(url: url), timeout: .seconds(60))
    let body = try await response.body.collect(upTo: 1 << 22)
    status = response.status.code
    headers = Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { $1 }
    text = String(buffer: body)
  }
}
