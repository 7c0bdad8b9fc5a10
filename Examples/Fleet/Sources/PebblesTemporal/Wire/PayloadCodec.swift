import Foundation
import TemporalWire

/// Bytes as the server stores them, with what says how to read them.
public struct EncodedPayload: Sendable, Hashable {
  /// How to read the bytes; `encoding` says what they are.
  public var metadata: [String: [UInt8]]

  /// The bytes.
  public var data: [UInt8]

  /// Makes a payload.
  ///
  /// - Parameters:
  ///   - metadata: How to read the bytes.
  ///   - data: The bytes.
  public init(metadata: [String: [UInt8]], data: [UInt8]) {
    self.metadata = metadata
    self.data = data
  }
}

/// Turns payloads into what the server stores, and back: encryption, compression, or a store of
/// one's own. All that a pond hands to the server passes here: its graph, its outputs, its report.
/// What errors say does not, as operators read it.
public protocol PayloadCodec: Sendable {
  /// Turns a payload into what the server stores.
  ///
  /// - Parameter payload: The payload.
  /// - Returns: What is stored.
  /// - Throws: Why it cannot.
  func encode(_ payload: EncodedPayload) async throws -> EncodedPayload

  /// Turns back what the server has stored.
  ///
  /// - Parameter payload: What is stored.
  /// - Returns: The payload.
  /// - Throws: Why it cannot.
  func decode(_ payload: EncodedPayload) async throws -> EncodedPayload
}

/// Payloads as they are.
struct PlainPayloads: PayloadCodec {
  func encode(_ payload: EncodedPayload) -> EncodedPayload { payload }
  func decode(_ payload: EncodedPayload) -> EncodedPayload { payload }
}

extension TemporalPayload {
  static let encodingKey = "encoding"
  static let json = Data("json/plain".utf8)

  /// A payload of JSON.
  init(json bytes: some Sequence<UInt8>) {
    self.init()
    metadata[Self.encodingKey] = Self.json
    data = Data(bytes)
  }

  fileprivate init(_ payload: EncodedPayload) {
    self.init()
    metadata = payload.metadata.mapValues { Data($0) }
    data = Data(payload.data)
  }

  fileprivate var plain: EncodedPayload {
    EncodedPayload(metadata: metadata.mapValues { Array($0) }, data: Array(data))
  }
}

extension PayloadCodec {
  func encode(json bytes: some Sequence<UInt8> & Sendable) async throws -> TemporalPayload {
    TemporalPayload(try await encode(TemporalPayload(json: bytes).plain))
  }

  func encode(json input: RunInput) async throws -> TemporalPayloads {
    var payloads: [TemporalPayload] = []
    for text in try input.encoded() { payloads.append(try await encode(json: text)) }
    return TemporalPayloads(payloads + input.outputs)
  }

  func decoded(_ payload: TemporalPayload) async throws -> TemporalPayload {
    TemporalPayload(try await decode(payload.plain))
  }

  func decoded(_ payloads: TemporalPayloads) async throws -> [TemporalPayload] {
    var decoded: [TemporalPayload] = []
    for payload in payloads.payloads { decoded.append(try await self.decoded(payload)) }
    return decoded
  }
}

extension TemporalPayloads {
  init(_ payloads: [TemporalPayload]) {
    self.init()
    self.payloads = payloads
  }
}
