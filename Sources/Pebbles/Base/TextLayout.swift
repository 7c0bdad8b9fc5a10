extension String {
  /// Returns the string truncated to at most `count` characters. If anything was left out, the last
  /// character is `…`.
  ///
  /// At most `8 * count` scalars of the string are kept. A single character can consist of any
  /// number of scalars, and some image viewers cannot display very long characters.
  package func truncated(to count: Int) -> String {
    let head = String(unicodeScalars.prefix(8 * count))
    guard head.count > count || head.utf8.count < utf8.count else { return self }
    return head.prefix(count - 1) + "…"
  }

  /// Returns the words of the string, arranged in lines of at most `width` characters. A word that
  /// exceeds this width is placed on a separate line.
  package func wrapped(at width: Int) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - self.count))
  }

  package func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - self.count)) + self
  }
}

extension Collection {
  /// Returns a line for each of the first `limit` elements. If there are more elements, a final
  /// line states how many were left out.
  func lines(atMost limit: Int = 100, _ line: (Element) -> String) -> [String] {
    let rest = count - Swift.min(count, limit)
    return prefix(limit).map(line) + (rest > 0 ? ["  … and \(rest) more"] : [])
  }
}
