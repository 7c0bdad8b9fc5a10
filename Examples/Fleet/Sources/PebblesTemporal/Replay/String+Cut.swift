extension String {
  /// At most so many bytes from its beginning. A letter may be made of megabytes.
  func cut(to bytes: Int) -> String {
    utf8.count <= bytes ? self : String(decoding: utf8.prefix(bytes), as: UTF8.self) + "…"
  }
}
