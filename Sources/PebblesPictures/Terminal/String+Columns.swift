import Pebbles

/// Text by the room it takes in a terminal, where a letter has one column and a Chinese character
/// two.
extension StringProtocol {
  /// How many columns the text takes. Nothing that moves the cursor should be in it: see
  /// `singleLine`.
  ///
  /// - Complexity: O(characters).
  package var columns: Int { reduce(0) { $0 + $1.columns } }

  /// As much of the text as there is room for, with `…` at the end if any was cut.
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

  /// A name as `shortName` shows it, in at most so many columns.
  ///
  /// - Complexity: O(characters).
  package func name(toColumns most: Int) -> String {
    let name = String(self).shortName(atMost: Swift.max(most, 2))
    guard name.columns > most else { return name }
    // What is quoted stays so.
    return name.hasPrefix("\"")
      ? name.dropLast().cut(toColumns: most - 1) + "\"" : name.cut(toColumns: most)
  }

  /// With blanks behind it, so that it takes at least so many columns.
  package func padded(toColumns width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - columns))
  }

  /// With blanks before it, so that it takes at least so many columns.
  package func leftPadded(toColumns width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - columns)) + self
  }
}

extension Character {
  /// How many columns a terminal gives to the character: two if it is wide, none if all there is of
  /// it are marks.
  ///
  /// Terminals do not agree on emoji that are made of several; most give two.
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
  /// Whether it is wide by itself: the East Asian ones (Unicode Standard Annex #11), and emoji that
  /// are pictures without being told so.
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
