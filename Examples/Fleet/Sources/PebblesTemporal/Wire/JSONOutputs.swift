import Foundation
import Pebbles
import PebblesDurable

/// Outputs as JSON, as Foundation writes it.
public struct JSONOutputs: OutputCoder {
  /// Makes one.
  public init() {}

  /// Turns an output into JSON.
  public func encode(_ output: some Encodable) throws -> [UInt8] {
    Array(try JSONEncoder().encode(output))
  }

  /// Turns JSON back into an output.
  public func decode<Output: Decodable>(
    _ type: Output.Type, from bytes: [UInt8]
  ) throws -> Output {
    try JSONDecoder().decode(type, from: Data(bytes))
  }
}
