#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A coder that converts outputs to JSON, and back.
///
/// ```swift
/// let result = try await pond.attempt(.named("fetch"), coder: JSONOutputs())
/// ```
///
/// Keys are sorted and slashes are not escaped, which makes the result easy to read and compare.
/// Otherwise, the coder uses the defaults of `JSONEncoder` and `JSONDecoder`, which preserve all
/// values. Keys are property names, `Data` is encoded in Base64, dates are encoded as seconds
/// since 2001, and encoding a nonfinite number is an error.
public struct JSONOutputs: OutputCoder {
  /// Creates a coder.
  public init() {}

  /// Encodes an output as JSON.
  ///
  /// - Parameter output: The output of a body.
  /// - Returns: The JSON, in UTF-8.
  /// - Throws: `EncodingError` for values that JSON cannot represent, such as an infinite number,
  ///   and the errors that the output throws when it encodes itself.
  public func encode(_ output: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(output))
  }

  /// Decodes an output from JSON.
  ///
  /// - Parameters:
  ///   - type: The type of the output.
  ///   - bytes: The JSON.
  /// - Returns: The output.
  /// - Throws: `DecodingError` if the bytes are not JSON, or do not represent a value of this type.
  public func decode<Output: Decodable>(
    _ type: Output.Type, from bytes: [UInt8]
  ) throws -> Output {
    try JSONDecoder().decode(type, from: Data(bytes))
  }
}
