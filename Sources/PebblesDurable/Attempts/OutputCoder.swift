import Pebbles

/// Turns outputs into bytes and back, where they leave the process: what
/// ``Pebbles/Pond/attempt(_:number:of:inputs:coder:clock:)`` is handed. ``JSONOutputs`` is one.
///
/// ```swift
/// struct PropertyLists: OutputCoder {
///   // In an array, for a property list cannot be a number.
///   func encode(_ output: some Encodable) throws -> [UInt8] {
///     Array(try PropertyListEncoder().encode([output]))
///   }
///
///   func decode<Output: Decodable>(_ type: Output.Type, from bytes: [UInt8]) throws -> Output {
///     try PropertyListDecoder().decode([Output].self, from: Data(bytes))[0]
///   }
/// }
/// ```
public protocol OutputCoder: Sendable {
  /// Turns an output into bytes.
  ///
  /// - Parameter output: What a body returned.
  /// - Returns: The bytes.
  /// - Throws: Why it cannot; the pebble fails with that, and is not tried again.
  func encode(_ output: some Encodable) throws -> [UInt8]

  /// Turns bytes back into an output.
  ///
  /// - Parameters:
  ///   - type: What is wanted.
  ///   - bytes: The bytes.
  /// - Returns: The output.
  /// - Throws: Why it cannot; the pebble that reads the output fails with that, and is not tried
  ///   again.
  func decode<Output: Decodable>(_ type: Output.Type, from bytes: [UInt8]) throws -> Output
}

extension OutputCoder {
  /// Makes outputs of these bytes; `nil` for no bytes.
  func decoding(_ bytes: [UInt8]?) -> OutputDecoding? {
    guard let bytes else { return nil }
    return { try decode($0, from: bytes) }
  }
}
