import PebblesDurable

extension [UInt8] {
  /// Returns the bytes of the given JSON text.
  static func json(_ text: String) -> [UInt8] { Array(text.utf8) }
}

extension AttemptResult {
  /// The output of the body, as text; `nil` if the body failed or has no output.
  var output: String? {
    if case .succeeded(let bytes?, _) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
  }

  var isSucceeded: Bool { if case .succeeded = self { true } else { false } }

  var failure: AttemptFailure? { if case .failed(let failure) = self { failure } else { nil } }
}
