/// A generous estimate of the width of text in a sans-serif font.
///
/// It is unknown which font a picture will be viewed in. Each character is assumed to be as wide as
/// in DejaVu Sans or in Arial, whichever is wider. Few letters are wider in other fonts. The
/// estimates are generous for characters whose widths differ greatly between fonts.
enum TextWidth {
  /// The widths of the ASCII characters from the space to the tilde, in hundredths of the font
  /// size.
  private static let ascii: [UInt8] = [
    32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 56, 102, 69, 69, 73, 78, 67, 62, 78, 76, 30, 50, 67, 56, 87, 75, 79,
    67, 79, 73, 67, 62, 74, 69, 99, 69, 67, 69, 40, 34, 40, 84, 56, 50, 62, 64, 55, 64, 62, 36, 64,
    64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
  ]

  /// Returns the width of a line of text.
  ///
  /// - Parameters:
  ///   - text: The text, without line breaks.
  ///   - size: The font size.
  /// - Returns: The width, in the same unit as the size.
  static func width(of text: String, size: Double) -> Double {
    Double(text.unicodeScalars.reduce(0) { $0 + hundredths(of: $1) }) * size / 100
  }

  /// Returns whether a string consists only of characters whose widths are known. The widths of
  /// other characters differ between fonts and are only estimated.
  static func isMeasured(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.isASCII || known[$0] != nil || isLatinLetter($0) }
  }

  /// Returns a string truncated to a width, with `…` at its end if it was too wide.
  static func cut(_ text: String, to most: Double, size: Double) -> String {
    guard width(of: text, size: size) > most else { return text }
    var kept = ""
    var width = Self.width(of: "…", size: size)
    for character in text {
      width += Self.width(of: String(character), size: size)
      if width > most { break }
      kept.append(character)
    }
    return kept + "…"
  }

  private static let known: [Unicode.Scalar: Int] = [
    "✓": 84, "✗": 84, "⊘": 84, "○": 87, "·": 34, "…": 100, "µ": 64, "–": 56, "−": 84, "→": 100,
  ]

  /// Returns whether a scalar is an accented Latin letter that is about as wide as an ASCII letter.
  /// Returns `false` for ligatures.
  private static func isLatinLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "Æ", "æ", "Œ", "œ", "Ĳ", "ĳ", "×", "÷": false
    case "\u{C0}"..."\u{17E}": true
    default: false
    }
  }

  private static func hundredths(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20...0x7E: return Int(ascii[Int(scalar.value) - 0x20])
    case _ where isLatinLetter(scalar): return scalar.properties.isUppercase ? 80 : 66
    case 0xA0...0x24F, 0x370...0x5FF: return known[scalar] ?? 105
    default: break
    }
    if let width = known[scalar] { return width }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return scalar.properties.isEmojiPresentation ? 145 : 115
    }
  }
}
