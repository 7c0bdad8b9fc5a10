import Pebbles

/// A parser for laws, and the conditions in them, in their printed form.
struct LawParser {
  private var parser: ConditionParser

  init(_ text: String, _ pebbles: NamedPebbles) throws(TextError) {
    parser = try ConditionParser(text, pebbles)
  }

  mutating func law() throws(TextError) -> Law {
    let law = try unchecked()
    guard parser.next.kind == .end else {
      throw parser.fault("there should be &&, ||, implies or the end here")
    }
    return law
  }

  private mutating func unchecked() throws(TextError) -> Law {
    // A pebble may have one of these words as its name, but then an outcome follows.
    switch parser.next.kind {
    case .name("exactly"), .name("at"), .name("eventually"), .name("always"), .name("never"):
      return try worded()
    case .name, .literal, .sign, .end: return try plain()
    }
  }

  private mutating func worded() throws(TextError) -> Law {
    var ahead = parser
    let word = ahead.next
    try ahead.advance()
    switch (word.kind, ahead.next.kind) {
    case (_, .sign(.dot)) where !isConstant(behind: ahead): return try plain()
    case (.name("exactly"), _):
      parser = ahead
      try expect("one")
      try expect("of")
      return .exactlyOne(of: try list())
    case (.name("at"), _):
      parser = ahead
      try expect("most")
      try expect("one")
      try expect("of")
      return .atMostOne(of: try list())
    case (.name("eventually"), _):
      parser = ahead
      let condition = try parser.condition()
      try expect("whenever")
      return .eventually(condition, whenever: try parser.condition())
    case (.name("always"), .end), (.name("never"), .end): return try plain()
    case (.name("never"), _):
      parser = ahead
      return .never(try parser.condition())
    default:
      parser = ahead
      return .always(try parser.condition())
    }
  }

  /// Returns whether the dot ahead begins a whole condition, as in `never .always`, rather than the
  /// outcome of a pebble.
  private func isConstant(behind parser: ConditionParser) -> Bool {
    var ahead = parser
    guard (try? ahead.advance()) != nil else { return false }
    switch ahead.next.kind {
    case .name("always"), .name("never"): return true
    case .name, .literal, .sign, .end: return false
    }
  }

  /// Reads a law of the form `C` or `C implies C`, where `C` is a condition.
  private mutating func plain() throws(TextError) -> Law {
    let condition = try parser.condition()
    guard parser.next.kind == .name("implies") else { return .always(condition) }
    try parser.advance()
    return .implies(condition, try parser.condition())
  }

  private mutating func list() throws(TextError) -> [Condition] {
    var conditions = [try parser.condition()]
    while parser.next.kind == .sign(.comma) {
      try parser.advance()
      conditions.append(try parser.condition())
    }
    return conditions
  }

  private mutating func expect(_ word: String) throws(TextError) {
    guard parser.next.kind == .name(word) else {
      throw parser.fault("there should be \"\(word)\" here")
    }
    try parser.advance()
  }
}

extension PondModel {
  /// Reads a law about the pebbles of the model, in the form in which laws are printed.
  ///
  /// ```swift
  /// let law = try model.law("exactly one of home.completed, offline.completed")
  /// print(try model.scenarios().check(law))
  /// ```
  ///
  /// The forms are `always C` (or just `C`), `never C`, `exactly one of C, C, …`,
  /// `at most one of C, C, …`, `C implies C` and `eventually C whenever C`, where each `C` is a
  /// condition that ``condition(_:)`` can read. For a law with a label, only the label is printed.
  ///
  /// - Parameter text: The law.
  /// - Returns: The law.
  /// - Throws: ``TextError`` if the text is not a law. The error states where the problem is, and
  ///   what should be there instead.
  /// - Complexity: O(characters + pebbles).
  public func law(_ text: String) throws(TextError) -> Law {
    var parser = try LawParser(text, namedPebbles)
    return try parser.law()
  }
}
