import Foundation

/// The rules for splitting text into search words, which have no case, accents or punctuation.
enum SearchWords {
  /// Returns the search words in a string, in order.
  ///
  /// Punctuation, whitespace and control characters separate words. Combining marks and invisible
  /// formatting characters, such as direction marks, are left out. Symbols such as emoji count as
  /// letters.
  static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    func end() {
      guard !word.isEmpty else { return }
      words.append(String(word))
      word = String.UnicodeScalarView()
    }
    for scalar in folded(text) {
      switch role(of: scalar) {
      case .letter: word.append(scalar)
      case .mark: continue
      case .gap: end()
      }
    }
    end()
    return words
  }

  /// Returns the entries under which a string is found: each of its search words, and all of them
  /// joined into one. Both `brien` and `obrien` therefore find `O'Brien`.
  static func entries(of text: String) -> [String] {
    let words = words(of: text)
    return words.count > 1 ? words + [words.joined()] : words
  }

  /// The plain forms of letters that decomposition does not change, such as those with strokes.
  private static let plainLetters: [Unicode.Scalar: String] = [
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i",
    "ħ": "h", "ŧ": "t", "ς": "σ",
  ]

  private static func folded(_ text: String) -> [Unicode.Scalar] {
    // Most names are ASCII, and checking that is faster than decomposing.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return Array(text.lowercased().unicodeScalars) }
    let decomposed = text.decomposedStringWithCompatibilityMapping.lowercased()
    return decomposed.unicodeScalars.flatMap { scalar in
      plainLetters[scalar].map { Array($0.unicodeScalars) } ?? [scalar]
    }
  }

  private enum Role {
    case letter
    case mark
    case gap
  }

  private static func role(of scalar: Unicode.Scalar) -> Role {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .format: .mark
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation, .lineSeparator,
      .paragraphSeparator, .spaceSeparator, .control:
      .gap
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .mathSymbol, .currencySymbol, .modifierSymbol,
      .otherSymbol, .surrogate, .privateUse, .unassigned:
      .letter
    @unknown default: .letter
    }
  }
}
