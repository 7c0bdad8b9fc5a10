/// A condition that is parsed from its text. The parser accepts only the Swift syntax that
/// `Condition` writes.
///
/// Like Swift, the parser reads the longest possible operator, so it rejects `!!a`, in which it
/// finds the unknown operator `!!`. `&&` binds more tightly than `||`, and a member access more
/// tightly than both.
indirect enum SwiftExpression: Equatable {
  case constant(Bool)
  case atom(pebble: String, member: String)
  case not(SwiftExpression)
  case both(SwiftExpression, SwiftExpression)
  case either(SwiftExpression, SwiftExpression)
  case labeled(SwiftExpression, String)

  init(parsing text: String) throws {
    var parser = Parser(try Lexer(text).tokens())
    self = try parser.expression()
  }

  /// Returns the value of the condition for the given outcomes of pebbles, each of which is
  /// `succeeded`, `failed` or `skipped`.
  func value(_ outcomes: [String: String]) -> Bool {
    switch self {
    case .constant(let value): return value
    case .atom(let pebble, let member):
      let outcome = outcomes[pebble]
      switch member {
      case "completed": return outcome == "succeeded" || outcome == "failed"
      case "settled": return outcome != nil
      default: return outcome == member
      }
    case .not(let operand): return !operand.value(outcomes)
    case .both(let left, let right): return left.value(outcomes) && right.value(outcomes)
    case .either(let left, let right): return left.value(outcomes) || right.value(outcomes)
    case .labeled(let operand, _): return operand.value(outcomes)
    }
  }

  struct SyntaxError: Error {
    let message: String
  }
}

private enum Token: Equatable {
  case name(String)
  case literal(String)
  case symbol(Character)
  case operation(String)
}

private struct Lexer {
  private var rest: Substring

  init(_ text: String) {
    rest = text[...]
  }

  func tokens() throws -> [Token] {
    var lexer = self
    var tokens: [Token] = []
    while let character = lexer.rest.first {
      switch character {
      case " ": lexer.rest.removeFirst()
      case "!", "&", "|": tokens.append(.operation(lexer.take { "!&|".contains($0) }))
      case "(", ")", ".", ",", ":": tokens.append(.symbol(lexer.rest.removeFirst()))
      case "\"": tokens.append(.literal(try lexer.takeLiteral()))
      default:
        let name = lexer.take { $0.isLetter || $0.isNumber || $0 == "_" }
        guard !name.isEmpty else { throw SwiftExpression.SyntaxError(message: "odd \(character)") }
        tokens.append(.name(name))
      }
    }
    return tokens
  }

  private mutating func take(while belongs: (Character) -> Bool) -> String {
    let prefix = rest.prefix(while: belongs)
    rest = rest[prefix.endIndex...]
    return String(prefix)
  }

  private mutating func takeLiteral() throws -> String {
    var scalars = String.UnicodeScalarView()
    var unread = rest.unicodeScalars.dropFirst()
    while let scalar = unread.popFirst() {
      if scalar == "\"" {
        rest = rest[unread.startIndex...]
        return String(scalars)
      }
      guard scalar == "\\" else {
        scalars.append(scalar)
        continue
      }
      switch unread.popFirst() {
      case "n": scalars.append("\n")
      case "r": scalars.append("\r")
      case "t": scalars.append("\t")
      case "u":
        let digits = unread.dropFirst().prefix { $0 != "}" }
        unread = unread[digits.endIndex...].dropFirst()
        guard let value = UInt32(String(digits), radix: 16), let scalar = Unicode.Scalar(value)
        else { throw SwiftExpression.SyntaxError(message: "not a scalar: \(digits)") }
        scalars.append(scalar)
      case let escaped?: scalars.append(escaped)
      case nil: break
      }
    }
    throw SwiftExpression.SyntaxError(message: "a literal does not end")
  }
}

private struct Parser {
  private var tokens: ArraySlice<Token>

  init(_ tokens: [Token]) {
    self.tokens = tokens[...]
  }

  mutating func expression() throws -> SwiftExpression {
    let result = try disjunction()
    guard tokens.isEmpty else { throw unexpected() }
    return result
  }

  private mutating func disjunction() throws -> SwiftExpression {
    var left = try conjunction()
    while take(.operation("||")) { left = .either(left, try conjunction()) }
    return left
  }

  private mutating func conjunction() throws -> SwiftExpression {
    var left = try negation()
    while take(.operation("&&")) { left = .both(left, try negation()) }
    return left
  }

  private mutating func negation() throws -> SwiftExpression {
    if take(.operation("!")) { return .not(try negation()) }
    var operand = try primary()
    while take(.symbol(".")) {
      try expect(.name("labeled"))
      try expect(.symbol("("))
      guard case .literal(let label)? = tokens.popFirst() else { throw unexpected() }
      try expect(.symbol(")"))
      operand = .labeled(operand, label)
    }
    return operand
  }

  private mutating func primary() throws -> SwiftExpression {
    switch tokens.popFirst() {
    case .symbol("("):
      let inner = try disjunction()
      try expect(.symbol(")"))
      return inner
    case .symbol("."):
      return try implicitMember()
    case .name(let pebble), .literal(let pebble):
      try expect(.symbol("."))
      guard case .name(let member)? = tokens.popFirst() else { throw unexpected() }
      return .atom(pebble: pebble, member: member)
    case .symbol, .operation, nil:
      throw unexpected()
    }
  }

  private mutating func implicitMember() throws -> SwiftExpression {
    if take(.name("always")) { return .constant(true) }
    if take(.name("never")) { return .constant(false) }
    throw unexpected()
  }

  private mutating func take(_ token: Token) -> Bool {
    guard tokens.first == token else { return false }
    tokens.removeFirst()
    return true
  }

  private mutating func expect(_ token: Token) throws {
    guard take(token) else { throw unexpected() }
  }

  private func unexpected() -> SwiftExpression.SyntaxError {
    SwiftExpression.SyntaxError(message: "unexpected, with \(tokens.count) tokens to go")
  }
}
