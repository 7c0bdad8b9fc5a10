/// Which side of a column its text keeps to.
enum Alignment: Sendable {
  case left, right
}

extension String {
  /// The text with spaces up to a width, counted in characters.
  func padded(to width: Int, _ alignment: Alignment = .left) -> String {
    let space = String(repeating: " ", count: max(0, width - count))
    return alignment == .left ? self + space : space + self
  }

  /// The text, or as much of it as fits before a `…`.
  func truncated(to width: Int) -> String {
    count <= width ? self : prefix(width - 1) + "…"
  }
}

/// `1 launch`, `2 launches`.
func counted(_ count: Int, _ singular: String, _ plural: String) -> String {
  "\(count) \(count == 1 ? singular : plural)"
}
