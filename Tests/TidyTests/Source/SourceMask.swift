/// A scanner that replaces the strings and comments of Swift source with spaces, so that only code
/// is left.
///
/// The result has the same number of lines and bytes as the source. Code inside an interpolation is
/// kept. Regular expressions are recognized only in their extended form (`#/…/#`).
///
/// The scanner works on bytes for speed, because it reads the whole repository in a debug build.
struct SourceMask {
  /// The kind of text that the scanner is in. Contexts are nested, because an interpolation is code
  /// inside a string.
  private enum Context {
    case code(openParentheses: Int)
    case literal(Literal)
  }

  private struct Literal {
    let closing: [UInt8]
    let escape: [UInt8]
    let spansLines: Bool
  }

  private let source: [UInt8]
  private var position = 0
  private var contexts: [Context] = [.code(openParentheses: 0)]
  private var masked: [UInt8] = []

  private init(_ text: String) {
    source = Array(text.utf8)
    masked.reserveCapacity(source.count)
  }

  /// Returns the text with spaces in place of the contents of strings and comments.
  static func masking(_ text: String) -> String {
    var mask = SourceMask(text)
    while mask.position < mask.source.count { mask.step() }
    return String(decoding: mask.masked, as: UTF8.self)
  }

  private mutating func step() {
    switch contexts.last {
    case .literal(let literal): stepLiteral(literal)
    case .code(let openParentheses): stepCode(openParentheses)
    case nil: preconditionFailure("the outermost context is never left")
    }
  }

  private mutating func stepCode(_ openParentheses: Int) {
    let plain = source[position...].prefix { !Self.isSpecial($0) }.count
    if plain > 0 {
      keep(plain)
    } else if isNext("//") {
      blank(source[position...].prefix { $0 != Self.newline }.count)
    } else if isNext("/*") {
      blankComment()
    } else if let literal = literalOpening() {
      contexts.append(.literal(literal))
    } else if isNext("`") {
      repeat {
        blank()
      } while position < source.count && !isNext("`") && source[position] != Self.newline
      blank()
    } else {
      countParenthesis(openParentheses)
      keep()
    }
  }

  private mutating func countParenthesis(_ open: Int) {
    if isNext("(") {
      contexts[contexts.count - 1] = .code(openParentheses: open + 1)
    } else if isNext(")"), open > 0 {
      contexts[contexts.count - 1] = .code(openParentheses: open - 1)
    } else if isNext(")"), contexts.count > 1 {
      contexts.removeLast()
    }
  }

  private mutating func stepLiteral(_ literal: Literal) {
    if isNext(literal.escape + "(".utf8) {
      keep(literal.escape.count)
      keep()
      contexts.append(.code(openParentheses: 0))
    } else if isNext(literal.escape) {
      blank(literal.escape.count + 1)
    } else if isNext(literal.closing) {
      keep(literal.closing.count)
      contexts.removeLast()
    } else if source[position] == Self.newline, !literal.spansLines {
      contexts.removeLast()
    } else {
      blank()
    }
  }

  /// Consumes the opening delimiter of a string or of an extended regular expression, if one is
  /// next.
  private mutating func literalOpening() -> Literal? {
    var pounds = 0
    while position + pounds < source.count, source[position + pounds] == Self.pound { pounds += 1 }
    let fence = [UInt8](repeating: Self.pound, count: pounds)
    for quote in ["\"\"\"", "\"", "/"] where quote != "/" || pounds > 0 {
      guard isNext(fence + quote.utf8) else { continue }
      keep(pounds + quote.utf8.count)
      return Literal(
        closing: quote.utf8 + fence, escape: "\\".utf8 + (quote == "/" ? [] : fence),
        spansLines: quote != "\"")
    }
    return nil
  }

  /// Replaces a block comment, including the comments nested in it, with spaces.
  private mutating func blankComment() {
    var depth = 0
    repeat {
      if isNext("/*") {
        depth += 1
        blank(2)
      } else if isNext("*/") {
        depth -= 1
        blank(2)
      } else {
        blank()
      }
    } while depth > 0 && position < source.count
  }

  private func isNext(_ expected: String) -> Bool { isNext(Array(expected.utf8)) }

  private func isNext(_ expected: [UInt8]) -> Bool {
    // The first byte decides nearly always.
    guard position < source.count, source[position] == expected.first else {
      return expected.isEmpty
    }
    return source[position...].starts(with: expected)
  }

  private mutating func keep(_ count: Int = 1) {
    masked += source[position..<min(position + count, source.count)]
    position += count
  }

  private mutating func blank(_ count: Int = 1) {
    let end = min(position + count, source.count)
    masked += source[position..<end].map { $0 == Self.newline ? $0 : Self.space }
    position = end
  }

  private static let newline = UInt8(ascii: "\n")
  private static let space = UInt8(ascii: " ")
  private static let pound = UInt8(ascii: "#")

  /// Returns whether a byte can begin text that needs more than being kept as it is.
  private static func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "`"),
      UInt8(ascii: "("), UInt8(ascii: ")"):
      true
    default: false
    }
  }
}
