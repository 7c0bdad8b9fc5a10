import Pebbles

/// A scanner that splits the text of conditions into names, strings and signs.
struct TextScanner {
  let scalars: [Unicode.Scalar]
  private var position = 0

  /// The maximum length of the text, in Unicode scalars. Printed conditions are usually shorter,
  /// because they are truncated after about a million bytes.
  static let mostScalars = 1 << 21

  init(_ text: String) throws(TextError) {
    scalars = Array(text.unicodeScalars.prefix(Self.mostScalars + 1))
    guard scalars.count <= Self.mostScalars else {
      throw fault("the text is longer than \(Self.mostScalars) characters", at: Self.mostScalars)
    }
  }

  func fault(_ problem: String, at offset: Int) -> TextError {
    TextError(problem, at: offset, in: scalars)
  }

  /// Reads the next name, string or sign, and returns it as a token. At the end of the text, every
  /// call returns a token of kind `end`.
  mutating func next() throws(TextError) -> TextToken {
    while position < scalars.count, scalars[position].properties.isWhitespace { position += 1 }
    let start = position
    guard let scalar = peek else { return TextToken(kind: .end, offset: start) }
    if scalar == "\"" { return TextToken(kind: .literal(try literal()), offset: start) }
    if Self.startsName(scalar) { return TextToken(kind: .name(name()), offset: start) }
    for sign in TextToken.Sign.allCases
    where scalars[start...].starts(with: sign.rawValue.unicodeScalars) {
      position += sign.rawValue.unicodeScalars.count
      return TextToken(kind: .sign(sign), offset: start)
    }
    throw fault(Self.problem(with: scalar), at: start)
  }

  private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private static func problem(with scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "…": "the text was cut here when it was printed, so the rest is unknown"
    case "&": "there should be && here"
    case "|": "there should be || here"
    default: "\(String(scalar).shortLiteral) means nothing here; put other names in quotes"
    }
  }

  // MARK: Names

  private static func startsName(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isXIDStart
  }

  private mutating func name() -> String {
    var name = String.UnicodeScalarView()
    while let scalar = peek, scalar.properties.isXIDContinue, !scalar.isInvisible {
      name.append(scalar)
      position += 1
    }
    return String(name)
  }

  // MARK: Strings

  private mutating func literal() throws(TextError) -> String {
    let start = position
    position += 1
    var text = String.UnicodeScalarView()
    while let scalar = peek {
      position += 1
      switch scalar {
      case "\"": return String(text)
      case "\\": text.append(try escaped())
      case "\n", "\r": throw fault("the string that starts here does not end", at: start)
      default: text.append(scalar)
      }
    }
    throw fault("the string that starts here does not end", at: start)
  }

  /// Reads the rest of an escape sequence, after its backslash.
  private mutating func escaped() throws(TextError) -> Unicode.Scalar {
    let start = position - 1
    guard let scalar = peek else { throw fault("nothing follows this \\", at: start) }
    position += 1
    switch scalar {
    case "\"", "\\": return scalar
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "0": return "\0"
    case "u": return try numbered(from: start)
    default:
      throw fault("there is no character \\\(String(scalar).singleLine)", at: start)
    }
  }

  /// Reads the character given by the hexadecimal number in braces after `\u`.
  private mutating func numbered(from start: Int) throws(TextError) -> Unicode.Scalar {
    var digits = ""
    if peek == "{" {
      position += 1
      // Counts bytes, because any number of combining marks is one character.
      while let digit = peek, digit != "}", digits.utf8.count < 9 {
        digits.unicodeScalars.append(digit)
        position += 1
      }
    }
    guard peek == "}", 1...8 ~= digits.utf8.count, digits.utf8.allSatisfy({ $0.hexDigit != nil }),
      let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
    else { throw fault("there should be a character here, such as \\u{1F}", at: start) }
    position += 1
    return scalar
  }
}

/// A token in the text of a condition: a name, a string, a sign, or the end of the text.
struct TextToken {
  enum Kind: Equatable {
    case name(String)
    case literal(String)
    case sign(Sign)
    case end
  }

  /// An operator or a punctuation mark.
  enum Sign: String, CaseIterable {
    case and = "&&"
    case or = "||"
    case not = "!"
    case open = "("
    case close = ")"
    case dot = "."
    case comma = ","
    case colon = ":"
  }

  let kind: Kind
  let offset: Int
}

extension TextToken {
  /// The name of the token in errors about unexpected tokens: `the string "x"`, `&&`, `the end`.
  var clause: String {
    switch kind {
    case .name(let name): name.shortLiteral
    case .literal(let text): "the string \(text.shortLiteral)"
    case .sign(let sign): "\(sign.rawValue)"
    case .end: "the end"
    }
  }
}
