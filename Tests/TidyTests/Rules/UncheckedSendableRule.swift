/// A rule that each use of `@unchecked Sendable`, which the compiler does not check, has a comment
/// that justifies it.
struct UncheckedSendableRule: TidyRule {
  let summary = "@unchecked Sendable has a comment right above that says why it is safe"

  private static let declarations: Set<Substring> = [
    "class", "struct", "enum", "actor", "extension",
  ]

  func violations(in file: SourceFile) -> [Violation] {
    let tokens = file.tokens
    return file.places(of: ["unchecked"]).compactMap { index in
      let attribute = tokens[max(index - 1, 0)...].prefix(3).map(\.text)
      guard attribute == ["@", "unchecked", "Sendable"] else { return nil }
      let declaration = tokens[..<index].last { Self.declarations.contains($0.text) }
      let line = declaration?.line ?? tokens[index].line
      guard !file.lineAbove(declarationAt: line).hasPrefix("//") else { return nil }
      return file.violation(
        at: tokens[index].line,
        "@unchecked Sendable without a comment right above; say why it is safe")
    }
  }
}
