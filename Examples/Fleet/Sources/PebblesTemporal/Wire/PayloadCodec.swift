import Foundation
import TemporalWire

/// Bytes as the server stores them, with metadata that states how to decode them.
public struct EncodedPayload: Sendable, Hashable {
  /// The metadata; the value of `encoding` names the format of the bytes.
  public var metadata: [String: [UInt8]]

  /// The bytes.
  public var data: [UInt8]

  /// Creates a payload.
  ///
  /// - Parameters:
  ///   - metadata: The metadata.
  ///   - data: The bytes.
  public init(metadata: [String: [UInt8]], data: [UInt8]) {
    self.metadata = metadata
    self.data = data
  }
}

/// A type that transforms payloads before they are sent to the server, and restores them when they
/// are received. A codec can encrypt or compress payloads, or move them to an external store.
///
/// The codec transforms the graph, the outputs and the report of a run. It does not transform error
/// messages, because operators read them.
public protocol PayloadCodec: Sendable {
  /// Transforms a payload for the server.
  ///
  /// - Parameter payload: The payload.
  /// - Returns: The payload to store.
  /// - Throws: An error if the payload cannot be transformed.
  func encode(_ payload: EncodedPayload) async throws -> EncodedPayload

  /// Restores a payload stored by the server.
  ///
  /// - Parameter payload: The stored payload.
  /// - Returns: The original payload.
  /// - Throws: An error if the payload cannot be transformed.
  func decode(_ payload: EncodedPayload) async throws -> EncodedPayload
}

/// The codec that leaves payloads unchanged.
struct PlainPayloads: PayloadCodec {
  func encode(_ payload: EncodedPayload) -> EncodedPayload { payload }
  func decode(_ payload: EncodedPayload) -> EncodedPayload { payload }
}

extension TemporalPayload {
  static let encodingKey = "encoding"
  static let json = Data("json/plain".utf8)

  /// Creates a payload that contains JSON.
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
