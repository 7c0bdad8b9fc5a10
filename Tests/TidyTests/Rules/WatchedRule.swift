/// A rule that suites with asynchronous tests are watched. A test that waits forever holds up all
/// others, and a time limit does not end a test that ignores its cancellation.
struct WatchedRule: TidyRule {
  let summary = "suites with asynchronous tests are watched, and have no other time limit"

  func violations(in file: SourceFile) -> [Violation] {
    guard file.isInside("Tests"), !file.isInside("Tests/TidyTests") else { return [] }
    let tokens = file.tokens
    return file.places(of: ["timeLimit", "Suite"]).compactMap { index in
      if tokens[index].text == "timeLimit" {
        return file.violation(at: tokens[index].line, "a time limit; say .watched instead")
      }
      guard index > 0, tokens[index - 1].text == "@", let suite = suite(at: index, in: file),
        contains("Test", in: tokens[suite]), contains("async", in: tokens[suite]),
        !contains("watched", in: tokens[index..<suite.lowerBound])
      else { return nil }
      return file.violation(at: tokens[index].line, "say @Suite(.watched): its tests can wait")
    }
  }

  private func contains(_ word: Substring, in tokens: ArraySlice<Token>) -> Bool {
    tokens.contains { $0.text == word }
  }

  /// Returns the indices of the tokens between the braces of a suite.
  private func suite(at index: Int, in file: SourceFile) -> Range<Int>? {
    let tokens = file.tokens
    guard let kind = tokens[index...].firstIndex(where: { $0.text == "struct" }),
      let opening = tokens[kind...].firstIndex(where: { $0.text == "{" }),
      let closing = tokens.closingBrace(of: opening)
    else { return nil }
    return opening..<closing
  }
}
