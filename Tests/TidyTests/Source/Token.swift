/// A word or a single character of code, and where it stands.
struct Token {
  let text: Substring
  /// From 1.
  let line: Int
  /// Whether it follows the token before it without a space.
  let isAdjacent: Bool

  /// Splits masked code into identifiers, keywords and single characters.
  static func tokens(of code: String) -> [Token] {
    var tokens: [Token] = []
    var line = 1
    var index = code.startIndex
    var previousEnd = code.startIndex
    while index < code.endIndex {
      let character = code[index]
      let start = index
      code.formIndex(after: &index)
      if character.isNewline { line += 1 }
      if character.isWhitespace { continue }
      if character.isPartOfWord {
        index = code[index...].firstIndex { !$0.isPartOfWord } ?? code.endIndex
      }
      tokens.append(
        Token(text: code[start..<index], line: line, isAdjacent: previousEnd == start))
      previousEnd = index
    }
    return tokens
  }
}

extension Character {
  fileprivate var isPartOfWord: Bool { isLetter || isNumber || self == "_" }
}

extension [Token] {
  /// The index of the brace that closes the one at `opening`, if the code is complete.
  func closingBrace(of opening: Int) -> Int? {
    var depth = 0
    for index in opening..<count {
      if self[index].text == "{" { depth += 1 }
      if self[index].text == "}" { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }
}
