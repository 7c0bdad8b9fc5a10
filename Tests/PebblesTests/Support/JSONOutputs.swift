import Foundation
import Pebbles

/// Outputs as JSON.
struct JSONOutputs: OutputCoder {
  func encode(_ output: some Encodable) throws -> [UInt8] {
    Array(try JSONEncoder().encode(output))
  }

  func decode<Output: Decodable>(_ type: Output.Type, from bytes: [UInt8]) throws -> Output {
    try JSONDecoder().decode(type, from: Data(bytes))
  }
}

extension [UInt8] {
  /// JSON, from its text.
  static func json(_ text: String) -> [UInt8] { Array(text.utf8) }
}

extension AttemptResult {
  /// What the body returned, as text.
  var output: String? {
    if case .succeeded(let bytes?, _) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
  }

  var isSucceeded: Bool { if case .succeeded = self { true } else { false } }

  var failure: AttemptFailure? { if case .failed(let failure) = self { failure } else { nil } }
}
