extension String {
  /// Returns the first `bytes` bytes of the text, followed by `…` if the text is longer. The limit
  /// is in bytes because a single character may consist of megabytes.
  func cut(to bytes: Int) -> String {
    utf8.count <= bytes ? self : String(decoding: utf8.prefix(bytes), as: UTF8.self) + "…"
  }
}
