extension String {
  /// The string as a name in Swift source: unchanged if it is an identifier, otherwise quoted.
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

  /// The string on one line, with invisible characters made visible, to fit into a table.
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

  /// The name as shown in messages and printed conditions: unchanged if it is an identifier,
  /// otherwise quoted. Long names are truncated to keep the surrounding text readable.
  package var shortName: String { shortName(atMost: 60) }

  /// Returns the name as shown in messages, truncated to at most `count` characters, not counting
  /// quotation marks.
  package func shortName(atMost count: Int) -> String {
    if isSwiftIdentifier { return truncated(to: count) }
    let literal = truncated(to: count).swiftLiteral
    // Escaping makes the literal longer, so it may have to be cut again, inside its quotes.
    return literal.count > count + 2
      ? String(literal.dropLast()).truncated(to: count + 1) + "\"" : literal
  }

  /// The string as a Swift string literal, truncated to keep the surrounding sentence readable.
  package var shortLiteral: String { truncated(to: 60).swiftLiteral }

  private var isSwiftIdentifier: Bool {
    guard let first = unicodeScalars.first, first.properties.isXIDStart || first == "_" else {
      return false
    }
    return self != "_" && !Self.swiftKeywords.contains(self)
      && unicodeScalars.allSatisfy { $0.properties.isXIDContinue && !$0.isInvisible }
  }

  /// The keywords that cannot be used as names at the beginning of an expression.
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
  /// Whether the scalar can come directly before a zero-width joiner inside an emoji.
  fileprivate var isPictureOfEmoji: Bool {
    self == "\u{FE0F}" || value > 0x2000 && properties.isEmoji || properties.isEmojiModifier
  }

  /// Whether the scalar is invisible or affects the layout of the surrounding text. This is the
  /// case for control and format characters, line separators, and private-use and unassigned
  /// scalars.
  package var isInvisible: Bool {
    // Nearly all scalars are in this range, and then no table has to be searched.
    if " "..."~" ~= self { return false }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
    default: false
    }
  }
}
