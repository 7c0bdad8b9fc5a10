/// A rule that forbids names that fit every type, and therefore describe none.
struct NamingRule: TidyRule {
  let summary = "no type or file is named Manager, Helper or Util"

  private static let emptyWords: Set = [
    "Manager", "Managers", "Helper", "Helpers", "Util", "Utils", "Utility", "Utilities",
  ]

  func violations(in file: SourceFile) -> [Violation] {
    let types = file.typeDeclarations.compactMap { violation(of: $0.name, in: file, at: $0.line) }
    return [violation(of: file.name, in: file, at: 1)].compactMap { $0 } + types
  }

  private func violation(of name: Substring, in file: SourceFile, at line: Int) -> Violation? {
    guard let word = words(of: name).first(where: Self.emptyWords.contains) else { return nil }
    return file.violation(at: line, "\(word) in \(name) says nothing; name what it does")
  }

  /// Returns the words of a name in camel case, such as `File`, `Manager` and `Load` for
  /// `FileManager+Load`.
  private func words(of name: Substring) -> [String] {
    name.reduce(into: [""]) { words, character in
      if character.isUppercase || !character.isLetter { words.append("") }
      words[words.count - 1].append(character)
    }
  }
}
