import Foundation
import PebblesDurable

/// Outputs as JSON.
struct JSONOutputs: OutputCoder {
  func encode(_ output: some Encodable) throws -> [UInt8] {
    Array(try JSONEncoder().encode(output))
  }

  func decode<Output: Decodable>(_ type: Output.Type, from bytes: [UInt8]) throws -> Output {
    try JSONDecoder().decode(type, from: Data(bytes))
  }
}
