import AsyncHTTPClient
import Foundation
import NIOCore

/// Reads launches and cores over HTTP, in the shape of the SpaceX API, version 4.
public struct FeedClient: Sendable {
  private let client: HTTPClient
  private let base: String

  /// How much of an answer is read before it is refused: the whole history is about 1 MB.
  package static let mostBytes = 64 << 20

  /// - Parameters:
  ///   - client: Asks. Who made it shuts it down.
  ///   - base: What comes before `/v4/launches`.
  package init(_ client: HTTPClient, base: String) {
    self.client = client
    self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
  }

  /// All launches.
  ///
  /// - Parameter limit: How long it may take.
  /// - Returns: What the feed has, in its order.
  /// - Throws: ``FeedError`` if there is no answer, or none that is one.
  package func launches(within limit: Duration = .seconds(20)) async throws -> [FedLaunch] {
    try await rows("/v4/launches", ServedLaunch.self, limit).map(\.row)
  }

  /// All cores.
  ///
  /// - Parameter limit: How long it may take.
  /// - Returns: What the feed has, in its order.
  /// - Throws: As ``launches(within:)``.
  package func cores(within limit: Duration = .seconds(20)) async throws -> [Core] {
    try await rows("/v4/cores", ServedCore.self, limit).map(\.row)
  }

  private func rows<Row: Decodable>(
    _ path: String, _: Row.Type, _ limit: Duration
  ) async throws -> [Row] {
    let address = base + path
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

  /// How a body begins that is something else: a page of somebody in between, say.
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
    // A little before the pebble is given up, which does not know what was slow.
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

  /// The client's own time ends with the head of an answer.
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
  /// What was wrong, and where; `nil` if it is no JSON.
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
