#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Outputs as JSON.
///
/// ```swift
/// let result = try await pond.attempt(.named("fetch"), coder: JSONOutputs())
/// ```
///
/// Keys are sorted and slashes stand as they are, so that what was written can be read and compared
/// by people. All else is as `JSONEncoder` and `JSONDecoder` have it, so that nothing is lost: keys
/// are the names of properties, `Data` is Base64, a date is its seconds since 2001, and a number
/// that is not finite is an error.
public struct JSONOutputs: OutputCoder {
  /// Makes one.
  public init() {}

  /// Turns an output into JSON.
  ///
  /// - Parameter output: What a body returned.
  /// - Returns: The JSON, in UTF-8.
  /// - Throws: `EncodingError` for what JSON does not have, such as an infinite number, and what
  ///   the output throws that encodes itself.
  public func encode(_ output: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(output))
  }

  /// Turns JSON back into an output.
  ///
  /// - Parameters:
  ///   - type: What is wanted.
  ///   - bytes: The JSON.
  /// - Returns: The output.
  /// - Throws: `DecodingError` for what is no JSON, or not that of the type.
  public func decode<Output: Decodable>(
    _ type: Output.Type, from bytes: [UInt8]
  ) throws -> Output {
    try JSONDecoder().decode(type, from: Data(bytes))
  }
}
