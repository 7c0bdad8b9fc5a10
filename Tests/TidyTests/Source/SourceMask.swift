/// Blanks out the strings and comments of Swift source, so that what is left is code.
///
/// The result has the same lines and columns as the source. Code inside an interpolation is kept.
/// Regular expressions are recognized in their extended form only (`#/…/#`).
struct SourceMask {
  /// What the scanner is inside of; interpolations nest code in strings in code.
  private enum Context {
    case code(openParentheses: Int)
    case literal(Literal)
  }

  private struct Literal {
    let closing: [Character]
    let escape: [Character]
    let spansLines: Bool
  }

  private let source: [Character]
  private var position = 0
  private var contexts: [Context] = [.code(openParentheses: 0)]
  private var masked: [Character] = []

  private init(_ text: String) {
    source = Array(text)
    masked.reserveCapacity(source.count)
  }

  /// The text with spaces in place of what strings and comments contain.
  static func masking(_ text: String) -> String {
    var mask = SourceMask(text)
    while mask.position < mask.source.count { mask.step() }
    return String(mask.masked)
  }

  private mutating func step() {
    switch contexts.last {
    case .literal(let literal): stepLiteral(literal)
    case .code(let openParentheses): stepCode(openParentheses)
    case nil: preconditionFailure("the outermost context is never left")
    }
  }

  private mutating func stepCode(_ openParentheses: Int) {
    // Most characters begin nothing.
    guard "/\"#`()".contains(source[position]) else { return keep() }
    if isNext("//") {
      while position < source.count, !source[position].isNewline { blank() }
    } else if isNext("/*") {
      blankComment()
    } else if let literal = literalOpening() {
      contexts.append(.literal(literal))
    } else if isNext("`") {
      repeat {
        blank()
      } while position < source.count && !isNext("`") && !source[position].isNewline
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
    if isNext(literal.escape + ["("]) {
      keep(literal.escape.count)
      keep()
      contexts.append(.code(openParentheses: 0))
    } else if isNext(literal.escape) {
      blank(literal.escape.count + 1)
    } else if isNext(literal.closing) {
      keep(literal.closing.count)
      contexts.removeLast()
    } else if source[position].isNewline, !literal.spansLines {
      contexts.removeLast()
    } else {
      blank()
    }
  }

  /// Consumes the opening of a string or an extended regular expression, if one is next.
  private mutating func literalOpening() -> Literal? {
    var pounds = 0
    while position + pounds < source.count, source[position + pounds] == "#" { pounds += 1 }
    let fence = [Character](repeating: "#", count: pounds)
    let quotes: [[Character]] = [["\"", "\"", "\""], ["\""], ["/"]]
    for quote in quotes where isNext(fence + quote) && (quote != ["/"] || pounds > 0) {
      keep(pounds + quote.count)
      return Literal(
        closing: quote + fence, escape: quote == ["/"] ? ["\\"] : ["\\"] + fence,
        spansLines: quote != ["\""])
    }
    return nil
  }

  /// Blanks a block comment together with those inside it.
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

  private func isNext(_ expected: some Collection<Character>) -> Bool {
    source[position...].starts(with: expected)
  }

  private mutating func keep(_ count: Int = 1) {
    masked += source[position..<min(position + count, source.count)]
    position += count
  }

  private mutating func blank(_ count: Int = 1) {
    let end = min(position + count, source.count)
    masked += source[position..<end].map { $0.isNewline ? $0 : " " }
    position = end
  }
}
