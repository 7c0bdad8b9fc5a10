/// A test that can wait can wait for ever, and holds up all others. A time limit does not end what
/// does not look whether it is cancelled.
struct WatchedRule: TidyRule {
  let summary = "suites with asynchronous tests are watched, and have no other time limit"

  func violations(in file: SourceFile) -> [Violation] {
    guard file.isInside("Tests"), !file.isInside("Tests/TidyTests") else { return [] }
    let words = file.tokens.map(\.text)
    return words.indices.compactMap { index in
      if words[index] == "timeLimit" {
        return file.violation(at: file.tokens[index].line, "a time limit; say .watched instead")
      }
      guard words[index...].starts(with: ["@", "Suite"]), let suite = suite(at: index, in: file),
        words[suite].contains("Test"), words[suite].contains("async"),
        !words[index..<suite.lowerBound].contains("watched")
      else { return nil }
      return file.violation(at: file.tokens[index].line, "say @Suite(.watched): its tests can wait")
    }
  }

  /// What is between the braces of a suite.
  private func suite(at index: Int, in file: SourceFile) -> Range<Int>? {
    let tokens = file.tokens
    guard let kind = tokens[index...].firstIndex(where: { $0.text == "struct" }),
      let opening = tokens[kind...].firstIndex(where: { $0.text == "{" }),
      let closing = tokens.closingBrace(of: opening)
    else { return nil }
    return opening..<closing
  }
}
