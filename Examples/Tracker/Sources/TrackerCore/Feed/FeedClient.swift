import AsyncHTTPClient
import Foundation
import NIOCore

/// Reads launches and cores over HTTP, in the shape of the SpaceX API, version 4.
public struct FeedClient: Sendable {
  private let client: HTTPClient
  private let base: String

  /// How much of an answer is read before it is refused: the whole history is about 1 MB.
  private static let mostBytes = 64 << 20

  /// - Parameters:
  ///   - client: Asks. Who made it shuts it down.
  ///   - base: What comes before `/v4/launches`.
  package init(_ client: HTTPClient, base: String) {
    self.client = client
    self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
  }

  /// All launches.
  ///
  /// - Throws: ``FeedError`` if there is no answer, or none that is one.
  package func launches() async throws -> [Launch] {
    try await rows("/v4/launches", ServedLaunch.self).map(\.row)
  }

  /// All cores.
  ///
  /// - Throws: As ``launches()``.
  package func cores() async throws -> [Core] {
    try await rows("/v4/cores", ServedCore.self).map(\.row)
  }

  private func rows<Row: Decodable>(_ path: String, _: Row.Type) async throws -> [Row] {
    let address = base + path
    let body = try await body(of: address)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    do {
      let rows = try decoder.decode([Row].self, from: Data(body.readableBytesView))
      guard !rows.isEmpty else { throw FeedError(address: address, problem: "is empty") }
      return rows
    } catch let error as DecodingError {
      throw FeedError(address: address, problem: "is not what was expected: \(error.sentence)")
    }
  }

  private func body(of address: String) async throws -> ByteBuffer {
    do {
      // The pebble has the time limit; this one is for who calls this without one.
      let response = try await client.execute(HTTPClientRequest(url: address), timeout: .hours(1))
      guard response.status == .ok else {
        let place = response.headers.first(name: "location").map { "; it names \($0.prefix(200))" }
        throw FeedError(address: address, problem: "answered \(response.status)\(place ?? "")")
      }
      return try await response.body.collect(upTo: Self.mostBytes)
    } catch is NIOTooManyBytesError {
      throw FeedError(address: address, problem: "has more than \(Self.mostBytes >> 20) MB")
    } catch let error as FeedError {
      throw error
    } catch {
      try Task.checkCancellation()
      throw FeedError(address: address, problem: "could not be read: \(error)")
    }
  }
}

/// A feed that did not answer, or not well.
public struct FeedError: Error, CustomStringConvertible {
  /// What was asked.
  public let address: String

  /// What was wrong with the answer, as a clause.
  public let problem: String

  /// The error as a sentence.
  public var description: String { "the feed \(address) \(problem)" }
}

extension DecodingError {
  /// What was wrong, and where.
  fileprivate var sentence: String {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }
      return path.isEmpty
        ? context.debugDescription : "at \(path.joined()): \(context.debugDescription)"
    @unknown default: return "\(self)"
    }
  }
}
