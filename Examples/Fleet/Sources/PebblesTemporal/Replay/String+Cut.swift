extension String {
  /// Returns the first `bytes` bytes of the string, followed by `…` if the string is longer. The
  /// limit is in bytes because a single character may be megabytes long.
  func cut(to bytes: Int) -> String {
    utf8.count <= bytes ? self : String(decoding: utf8.prefix(bytes), as: UTF8.self) + "…"
  }
}
