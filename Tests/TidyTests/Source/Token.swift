/// A word or a single character of code, with its position.
struct Token {
  let text: Substring
  /// The number of the line, starting with 1.
  let line: Int
  /// Whether the token follows the previous one without a space.
  let isAdjacent: Bool

  /// Returns the identifiers, keywords and single characters in masked code.
  static func tokens(of code: String) -> [Token] {
    var tokens: [Token] = []
    var line = 1
    let bytes = code.utf8
    var index = bytes.startIndex
    var previousEnd = index
    while index < bytes.endIndex {
      let byte = bytes[index]
      let start = index
      bytes.formIndex(after: &index)
      if byte == UInt8(ascii: "\n") { line += 1 }
      if byte <= UInt8(ascii: " ") { continue }
      if byte.isPartOfWord {
        index = bytes[index...].firstIndex { !$0.isPartOfWord } ?? bytes.endIndex
      }
      tokens.append(
        Token(text: code[start..<index], line: line, isAdjacent: previousEnd == start))
      previousEnd = index
    }
    return tokens
  }
}

extension UInt8 {
  /// Whether the byte can be part of a word. In code, bytes that are not ASCII occur only in names.
  fileprivate var isPartOfWord: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}

extension [Token] {
  /// Returns the index of the brace that closes the one at `opening`; `nil` if the code is
  /// incomplete.
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
