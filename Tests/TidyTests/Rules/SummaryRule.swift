/// A rule that documentation comments begin like those of the standard library.
struct SummaryRule: TidyRule {
  let summary = "summaries of functions begin with a verb, other summaries with a noun phrase"

  /// The words that begin a subordinate clause, or a phrase that refers to other text.
  private static let subordinate: Set<Substring> = [
    "As", "Because", "For", "How", "If", "Not", "Of", "Once", "Since", "So", "Such", "That",
    "Those", "These", "To", "Until", "What", "Whatever", "When", "Where", "Wherever", "Which",
    "While", "Who", "Whoever", "Whose", "Without",
  ]

  /// The words that end in *s*, but are not verbs that describe the effect of a function.
  private static let noVerbs: Set<Substring> = [
    "Always", "As", "Does", "Has", "Is", "Its", "This", "Was",
  ]

  private static let functions: Set<Substring> = ["func", "init", "subscript"]
  private static let others: Set<Substring> = [
    "actor", "associatedtype", "case", "class", "enum", "extension", "let", "protocol", "struct",
    "typealias", "var",
  ]

  func violations(in file: SourceFile) -> [Violation] {
    guard file.isInside("Sources") else { return [] }
    let introducers = file.places(of: Self.functions.union(Self.others)).map { file.tokens[$0] }
    return file.documentationComments.compactMap { comment in
      guard let first = Self.firstWord(of: comment.text) else { return nil }
      // The keyword of the declaration that the comment belongs to.
      let below = introducers.first { $0.line > comment.end && $0.line <= comment.end + 8 }
      let isFunction = below.map { Self.functions.contains($0.text) } ?? false
      if Self.subordinate.contains(first) {
        return file.violation(at: comment.line, "begins with \(first); say what it is or does")
      }
      if isFunction, !Self.isVerb(first) {
        return file.violation(
          at: comment.line, "a function begins with \(first); begin with a verb: Returns, Creates")
      }
      return nil
    }
  }

  private static func firstWord(of text: Substring) -> Substring? {
    let word = text.drop { !$0.isLetter }.prefix { $0.isLetter || $0 == "-" }
    return word.isEmpty || text.hasPrefix("- ") ? nil : word
  }

  /// Returns whether a word is a verb in the third person, judging by its letters.
  private static func isVerb(_ word: Substring) -> Bool {
    word.hasSuffix("s") && word.first?.isUppercase == true && !noVerbs.contains(word)
  }
}
