import Pebbles

/// A type that encodes outputs as bytes and decodes them again, for example ``JSONOutputs``. Use a
/// coder for outputs that leave the process; see
/// ``Pebbles/Pond/attempt(_:number:of:inputs:coder:clock:)``.
///
/// ```swift
/// struct PropertyLists: OutputCoder {
///   // In an array, because a property list cannot be a number.
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
  /// Encodes an output as bytes.
  ///
  /// - Parameter output: The output of a body.
  /// - Returns: The bytes.
  /// - Throws: An error if the output cannot be encoded. In an attempt, the pebble then fails with
  ///   an ``AttemptError`` that contains the text of this error, without another attempt. A journal
  ///   does not keep such an output.
  func encode(_ output: some Encodable) throws -> [UInt8]

  /// Decodes an output from bytes.
  ///
  /// - Parameters:
  ///   - type: The type of the output.
  ///   - bytes: The bytes.
  /// - Returns: The output.
  /// - Throws: An error if the bytes cannot be decoded. In an attempt, the pebble that reads the
  ///   output then fails with an ``AttemptError`` that contains the text of this error, without
  ///   another attempt. A run with a journal is not continued: a ``JournalError`` is thrown, unless
  ///   the journal uses ``Journal/OtherRun/startAnew``.
  func decode<Output: Decodable>(_ type: Output.Type, from bytes: [UInt8]) throws -> Output
}

extension OutputCoder {
  /// Returns a closure that decodes `bytes` as an output; `nil` if `bytes` is `nil`.
  func decoding(_ bytes: [UInt8]?) -> OutputDecoding? {
    guard let bytes else { return nil }
    return { try decode($0, from: bytes) }
  }
}

extension AnyOutput {
  /// Returns the output as bytes; `nil` if there is no output, or if its type is not `Encodable`.
  func encoded(by coder: any OutputCoder) throws -> [UInt8]? {
    try encodable.map { try coder.encode($0) }
  }
}

extension PondLogic {
  /// The pebbles whose outputs are read by the bodies of other pebbles or by teardowns, in
  /// ascending order.
  ///
  /// - Complexity: O(inputs of all pebbles), plus the time to sort the pebbles.
  var pebblesWithReaders: [Int] {
    var read = Set(properties.pebbles.filter(\.value.hasTeardown).keys.map(Int.init))
    for pebble in graph.names.indices where graph.hasInputs(pebble) {
      read.formUnion(graph.pebblesRead(by: pebble))
    }
    return read.sorted()
  }
}
