extension String {
  /// The string where Swift source expects a name: as it is if it is an identifier, else quoted.
  package var swiftName: String {
    isSwiftIdentifier ? self : swiftLiteral
  }

  /// The string as a Swift string literal.
  package var swiftLiteral: String {
    var literal = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      case "\u{200D}" where literal.unicodeScalars.last?.isPictureOfEmoji == true:
        literal.unicodeScalars.append(scalar)
      case let control where control.isInvisible:
        literal += "\\u{\(String(control.value, radix: 16, uppercase: true))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  /// The text on one line, with what cannot be seen made visible, so that it can stand in a table.
  package var singleLine: String {
    guard unicodeScalars.contains(where: \.isInvisible) else { return self }
    var line = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": line += "⏎"
      case "\t": line += " "
      case "\u{200D}": line.unicodeScalars.append(scalar)  // joins emoji
      case let control where control.isInvisible:
        line += "\\u{\(String(control.value, radix: 16, uppercase: true))}"
      default: line.unicodeScalars.append(scalar)
      }
    }
    return line
  }

  /// A name as all texts for people show it: as it stands if it is an identifier, else quoted, as
  /// conditions print it; cut to a length that leaves what is around it readable.
  package var shortName: String { shortName(atMost: 60) }

  /// A name as all texts for people show it, where there is room for so many characters.
  package func shortName(atMost count: Int) -> String {
    if isSwiftIdentifier { return truncated(to: count) }
    let literal = truncated(to: count).swiftLiteral
    // What cannot be seen takes several characters; what is quoted stays so.
    return literal.count > count + 2
      ? String(literal.dropLast()).truncated(to: count + 1) + "\"" : literal
  }

  /// Quoted, and cut to a length that leaves the sentence around it readable.
  package var shortLiteral: String { truncated(to: 60).swiftLiteral }

  private var isSwiftIdentifier: Bool {
    guard let first = unicodeScalars.first, first.properties.isXIDStart || first == "_" else {
      return false
    }
    return self != "_" && !Self.swiftKeywords.contains(self)
      && unicodeScalars.allSatisfy { $0.properties.isXIDContinue && !$0.isInvisible }
  }

  /// The words that cannot stand as an expression's first name.
  private static let swiftKeywords: Set<String> = [
    "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue",
    "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "Self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
    "try", "typealias", "var", "where", "while",
  ]
}

extension Unicode.Scalar {
  /// Whether it may be joined to another emoji.
  fileprivate var isPictureOfEmoji: Bool {
    self == "\u{FE0F}" || value > 0x2000 && properties.isEmoji || properties.isEmojiModifier
  }

  /// Whether the scalar would not be seen, or would move what stands around it: control and format
  /// characters, line separators, private use and unassigned ones.
  package var isInvisible: Bool {
    // Nearly all that is asked about is; a table need not be looked into for it.
    if " "..."~" ~= self { return false }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
    default: false
    }
  }
}
