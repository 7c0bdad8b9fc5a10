public import Pebbles

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Outputs as JSON.
public struct JSONOutputs: OutputCoder {
  /// Makes the coder.
  public init() {}

  /// Encodes an output on one line, with its keys in order.
  public func encode(_ output: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(output))
  }

  /// Decodes an output.
  public func decode<Output: Decodable>(_ type: Output.Type, from bytes: [UInt8]) throws -> Output {
    try JSONDecoder().decode(type, from: Data(bytes))
  }
}
