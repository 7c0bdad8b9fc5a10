import Pebbles

/// Functions that measure text in terminal columns, or fit text into columns. Most characters take
/// one column, and wide characters, such as Chinese characters, take two.
extension StringProtocol {
  /// The number of columns that the text takes up. The text must not contain characters that move
  /// the cursor; see `singleLine`.
  ///
  /// - Complexity: O(characters).
  package var columns: Int { reduce(0) { $0 + $1.columns } }

  /// Returns the text truncated to a number of columns, with `…` at the end if it was truncated.
  ///
  /// - Complexity: O(characters).
  package func cut(toColumns most: Int) -> String {
    guard columns > most else { return String(self) }
    guard most > 0 else { return "" }
    var (text, taken) = ("", 0)
    for character in self {
      taken += character.columns
      if taken > most - 1 { break }
      text.append(character)
    }
    return text + "…"
  }

  /// Returns the text as a name, quoted and truncated like `shortName`, in at most `most` columns.
  ///
  /// - Complexity: O(characters).
  package func name(toColumns most: Int) -> String {
    let name = String(self).shortName(atMost: Swift.max(most, 2))
    guard name.columns > most else { return name }
    // A quoted name stays quoted.
    return name.hasPrefix("\"")
      ? name.dropLast().cut(toColumns: most - 1) + "\"" : name.cut(toColumns: most)
  }

  /// Returns the text, padded with trailing spaces to a width of at least `width` columns.
  package func padded(toColumns width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - columns))
  }

  /// Returns the text, padded with leading spaces to a width of at least `width` columns.
  package func leftPadded(toColumns width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - columns)) + self
  }
}

extension Character {
  /// The number of columns that the character takes up in a terminal: two for a wide character,
  /// zero for a combining mark or a format character that stands alone, and one for any other
  /// character.
  ///
  /// Terminals disagree on the width of an emoji that consists of several scalars; most use two
  /// columns.
  package var columns: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.isASCII { return 1 }
    if unicodeScalars.contains(where: { $0.isWide || $0 == "\u{FE0F}" }) { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is wide when it stands alone. East Asian wide characters (Unicode Standard
  /// Annex #11), and emoji that are shown as pictures by default, are wide.
  fileprivate var isWide: Bool {
    switch value {
    case 0..<0x1100: false
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1B000...0x1B2FF, 0x1F200...0x1F2FF,
      0x20000...0x3FFFD:
      true
    default: properties.isEmojiPresentation
    }
  }
}
