import Pebbles

/// A parser for conditions in their printed form: Swift source with quotes around names that are
/// not identifiers. Open expressions are kept in an array, so deep nesting cannot overflow the
/// stack.
struct ConditionParser {
  private let pebbles: NamedPebbles
  private var scanner: TextScanner

  /// The next token, which has been scanned but not yet parsed.
  private(set) var next: TextToken

  init(_ text: String, _ pebbles: NamedPebbles) throws(TextError) {
    self.pebbles = pebbles
    scanner = try TextScanner(text)
    next = try scanner.next()
  }

  /// A level of nesting that is being parsed: an expression in parentheses, or the whole condition.
  fileprivate struct Level {
    /// All operands of the OR except the last one, which is the AND of `operands`.
    var alternatives: [Condition] = []
    var operands: [Condition] = []
    var isNegated = false
    let start: Int

    var condition: Condition {
      let last = operands.count == 1 ? operands[0] : .all(operands)
      return alternatives.isEmpty ? last : .any(alternatives + [last])
    }
  }

  /// Reads a condition up to the first token that cannot be part of it.
  mutating func condition() throws(TextError) -> Condition {
    var levels = [Level(start: next.offset)]
    while true {
      guard var operand = try operand(opening: &levels) else { continue }
      while true {
        operand = try labeled(operand)
        if levels[levels.count - 1].isNegated { operand = !operand }
        levels[levels.count - 1].isNegated = false
        levels[levels.count - 1].operands.append(operand)
        guard levels.count > 1, next.kind == .sign(.close) else { break }
        try advance()
        operand = levels.removeLast().condition
      }
      if next.kind == .sign(.and) {
        try advance()
      } else if next.kind == .sign(.or) {
        try advance()
        levels[levels.count - 1].startAlternative()
      } else if levels.count > 1 {
        let place = position(of: levels[levels.count - 1].start)
        throw fault("there should be &&, || or a ) here, for the ( at \(place)")
      } else {
        return levels[0].condition
      }
    }
  }

  /// Reads an operand without its labels. If the operand begins with a parenthesis or a negation
  /// sign, reads only that token, and returns `nil`.
  private mutating func operand(opening levels: inout [Level]) throws(TextError) -> Condition? {
    switch next.kind {
    case .sign(.not):
      guard !levels[levels.count - 1].isNegated else {
        throw fault("two ! in a row would be another operator; put the inner one in parentheses")
      }
      levels[levels.count - 1].isNegated = true
    case .sign(.open):
      levels.append(Level(start: next.offset))
    case .sign(.dot):
      return try constant()
    case .name(let name), .literal(let name):
      return try atom(of: name)
    case .sign(.and), .sign(.or), .sign(.close), .sign(.comma), .sign(.colon), .end:
      throw fault("there should be a condition here, such as login.succeeded")
    }
    try advance()
    return nil
  }

  /// Reads `.always` or `.never`. The dot is the next token.
  private mutating func constant() throws(TextError) -> Condition {
    try advance()
    let word = next
    switch word.kind {
    case .name("always"): try advance()
    case .name("never"):
      try advance()
      return .never
    case .name, .literal, .sign, .end:
      throw fault("there should be always or never here")
    }
    return .always
  }

  private mutating func atom(of name: String) throws(TextError) -> Condition {
    let start = next
    try advance()
    // People who write conditions by hand may leave out the dot.
    if next.kind != .sign(.dot), start.kind == .name(name) {
      if name == "always" { return .always }
      if name == "never" { return .never }
    }
    let pebble = try pebble(name, at: start)
    try expect(.dot, "for the outcome of \(name.shortName), such as .succeeded")
    let word = next
    guard case .name(let outcome) = word.kind,
      Self.outcomes[outcome] != nil || Self.caseWords.contains(outcome)
    else {
      let words = "succeeded, failed, skipped, completed, settled, timedOut or is"
      throw fault("there should be \(words) here")
    }
    try advance()
    if next.kind != .sign(.open), let outcomes = Self.outcomes[outcome] {
      return Condition(.atom(Atom(pebble: pebble, outcomes: outcomes)))
    }
    return try pebbleCase(outcome, of: pebble, at: word)
  }

  /// Reads the rest of a case, after its first word, and returns a condition that is true if the
  /// case holds.
  private mutating func pebbleCase(
    _ word: String, of pebble: PebbleReference, at start: TextToken
  ) throws(TextError) -> Condition {
    var name: String?
    if word != "timedOut" {
      try expect(.open, "for the value")
      guard case .literal(let text) = next.kind else {
        throw fault("there should be a name here, in quotes")
      }
      name = text
      try advance()
      try expect(.close, "after the name")
    }
    let shown = pebble.name.shortName
    guard let one = PebbleCase(kind: word, name: name) else {
      throw scanner.fault("\(shown) has no case of \(word)", at: start.offset)
    }
    guard let condition = pebbles.condition(one, of: pebble) else {
      let known = pebbles.cases(of: pebble)
      let hint = "\(one)".nearest(among: known.map(\.description))
        .map { "; did you mean \($0)?" }
      let none = known.isEmpty ? "; it has no cases" : ""
      throw scanner.fault(
        "\(shown) has no case \("\(one)".truncated(to: 80))\(hint ?? none)", at: start.offset)
    }
    return condition
  }

  private static let caseWords: Set<String> = ["failed", "succeeded", "is", "timedOut"]

  private static let outcomes: [String: OutcomeSet] = [
    "succeeded": .succeeded, "failed": .failed, "skipped": .skipped, "completed": .completed,
    "settled": .settled,
  ]

  /// Reads the labels after a condition, and returns the condition with these labels.
  private mutating func labeled(_ condition: Condition) throws(TextError) -> Condition {
    var condition = condition
    while next.kind == .sign(.dot) {
      try advance()
      guard next.kind == .name("labeled") else { throw fault("there should be labeled here") }
      try advance()
      try expect(.open, "for the label")
      guard case .literal(let label) = next.kind else {
        throw fault("there should be the label here, in quotes")
      }
      try advance()
      try expect(.close, "after the label")
      condition = condition.labeled(label)
    }
    return condition
  }

  // MARK: Tokens

  mutating func advance() throws(TextError) { next = try scanner.next() }

  private mutating func expect(_ sign: TextToken.Sign, _ purpose: String) throws(TextError) {
    guard next.kind == .sign(sign) else {
      throw fault("there should be a \(sign.rawValue) here, \(purpose)")
    }
    try advance()
  }

  /// Returns an error for an unexpected next token. The message consists of the problem, followed
  /// by the token.
  func fault(_ problem: String) -> TextError {
    scanner.fault("\(problem), not \(next.clause)", at: next.offset)
  }

  private func position(of offset: Int) -> String {
    let place = scanner.fault("", at: offset)
    return "line \(place.line), column \(place.column)"
  }

  private func pebble(
    _ name: String, at token: TextToken
  ) throws(TextError) -> PebbleReference {
    guard let pebble = pebbles[name] else {
      let guess = name.nearest(among: pebbles.names)
      let hint = guess.map { "; did you mean \($0.shortName)?" } ?? ""
      throw scanner.fault("no pebble is named \(name.shortName)\(hint)", at: token.offset)
    }
    return pebble
  }
}

extension ConditionParser.Level {
  /// Completes the AND, so that the next operand begins another alternative of the OR.
  fileprivate mutating func startAlternative() {
    alternatives.append(operands.count == 1 ? operands[0] : .all(operands))
    operands = []
  }
}
