/// An error has a sentence to say; `try!` cuts it off.
struct ForceTryRule: TidyRule {
  let summary = "no try!"

  func violations(in file: SourceFile) -> [Violation] {
    zip(file.tokens, file.tokens.dropFirst()).compactMap { word, mark in
      guard word.text == "try", mark.text == "!", mark.isAdjacent else { return nil }
      return file.violation(at: word.line, "try! traps without a reason; throw or handle the error")
    }
  }
}
