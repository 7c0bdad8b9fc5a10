extension String {
  /// Returns the first `bytes` bytes of the text, followed by `…` if it is longer. Counts bytes
  /// because a single character may have megabytes.
  func cut(to bytes: Int) -> String {
    utf8.count <= bytes ? self : String(decoding: utf8.prefix(bytes), as: UTF8.self) + "…"
  }
}
