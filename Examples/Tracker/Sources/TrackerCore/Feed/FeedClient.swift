import AsyncHTTPClient
import Foundation
import NIOCore

/// A client that reads launches and cores over HTTP, in the format of the SpaceX API, version 4.
public struct FeedClient: Sendable {
  private let client: HTTPClient
  private let base: String

  /// The query of every request, including the question mark; empty if there is none.
  private let query: String

  /// The maximum size of an answer, in bytes. The whole history takes about 1 MB.
  package static let mostBytes = 64 << 20

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - client: The HTTP client, which the caller must shut down.
  ///   - base: The base address, to which paths such as `/v4/launches` are appended. If the address
  ///     has a query, such as an API key, the query is moved behind the path.
  package init(_ client: HTTPClient, base: String) {
    self.client = client
    // The part after `#` is never sent to a server.
    let address = base.prefix { $0 != "#" }
    let place = address.prefix { $0 != "?" }
    query = String(address.dropFirst(place.count))
    self.base = String(place.hasSuffix("/") ? place.dropLast() : place)
  }

  /// Returns all launches.
  ///
  /// - Parameter limit: The time limit.
  /// - Returns: The launches, in the order of the feed.
  /// - Throws: ``FeedError`` if the feed sends no answer, or an invalid one; `CancellationError` if
  ///   the task is cancelled.
  package func launches(within limit: Duration = .seconds(20)) async throws -> [FedLaunch] {
    try await rows("/v4/launches", ServedLaunch.self, limit).map(\.row)
  }

  /// Returns all cores.
  ///
  /// - Parameter limit: The time limit.
  /// - Returns: The cores, in the order of the feed.
  /// - Throws: ``FeedError`` if the feed sends no answer, or an invalid one; `CancellationError` if
  ///   the task is cancelled.
  package func cores(within limit: Duration = .seconds(20)) async throws -> [Core] {
    try await rows("/v4/cores", ServedCore.self, limit).map(\.row)
  }

  private func rows<Row: Decodable>(
    _ path: String, _: Row.Type, _ limit: Duration
  ) async throws -> [Row] {
    let address = base + path + query
    let body = try await body(of: address, within: limit)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    do {
      let rows = try decoder.decode([Row].self, from: Data(body.readableBytesView))
      guard !rows.isEmpty else { throw FeedError(address: address, problem: "is empty") }
      return rows
    } catch let error as DecodingError {
      let problem = error.clause ?? "it is not JSON, and \(Self.beginning(of: body))"
      throw FeedError(address: address, problem: "is not what was expected: \(problem)")
    }
  }

  /// Returns a description of an invalid body, such as `begins with "<html>"` for a proxy's page.
  private static func beginning(of body: ByteBuffer) -> String {
    guard body.readableBytes > 0 else { return "has 0 bytes" }
    let start = String(decoding: body.readableBytesView.prefix(200), as: UTF8.self).unicodeScalars
    let text = start.prefix(60).map { scalar -> Character in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return " "
      default: return Character(scalar)
      }
    }
    return "begins with \(String(text).debugDescription)"
  }

  private func body(of address: String, within limit: Duration) async throws -> ByteBuffer {
    // A little shorter than the timeout of the pebble, which could not say what was slow.
    let time = limit * 19 / 20
    let end = ContinuousClock.now + time
    do {
      let response = try await client.execute(
        HTTPClientRequest(url: address), timeout: TimeAmount(time))
      guard response.status == .ok else {
        let place = response.headers.first(name: "location").map { "; it names \($0.prefix(200))" }
        throw FeedError(address: address, problem: "answered \(response.status)\(place ?? "")")
      }
      return try await before(end) { try await response.body.collect(upTo: Self.mostBytes) }
    } catch is NIOTooManyBytesError {
      throw FeedError(address: address, problem: "has more than \(Self.mostBytes >> 20) MB")
    } catch let error as FeedError {
      throw error
    } catch {
      try Task.checkCancellation()
      throw FeedError(error, at: address, within: limit)
    }
  }

  /// Runs a closure with a deadline for the whole answer. The client's own deadline covers only the
  /// head.
  private func before<Value: Sendable>(
    _ end: ContinuousClock.Instant, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await Task.sleep(until: end, clock: .continuous)
        throw UnfinishedAnswer()
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }
}

extension DecodingError {
  /// The location and the problem, such as `at [0].name: …`; `nil` if the data is not JSON.
  fileprivate var clause: String? {
    switch self {
    case .dataCorrupted(let context) where context.codingPath.isEmpty: return nil
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }
      let problem = context.debugDescription.trimmingCharacters(in: ["."])
      return path.isEmpty ? problem : "at \(path.joined()): \(problem)"
    @unknown default: return "\(self)"
    }
  }
}
