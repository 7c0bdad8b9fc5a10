import PebblesDurable

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
