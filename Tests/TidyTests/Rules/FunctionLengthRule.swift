/// A rule that limits the number of lines in a function, so that it fits on a screen.
///
/// The rule applies to functions, methods, initializers, subscripts and computed properties. The
/// lines are counted from the one that names the function to its closing brace.
struct FunctionLengthRule: TidyRule {
  let limit = 70
  let summary = "functions have at most 70 lines"

  private static let introducers: Set<Substring> = ["func", "init", "deinit", "subscript", "var"]

  /// The tokens that can only follow a requirement without a body.
  private static let nextDeclaration: Set<Substring> = [
    "func", "var", "let", "init", "deinit", "subscript", "case", "struct", "class", "enum", "actor",
    "protocol", "extension", "static", "mutating", "associatedtype", "typealias", "@", "}", ";",
  ]

  func violations(in file: SourceFile) -> [Violation] {
    let tokens = file.tokens
    return file.places(of: Self.introducers).compactMap { index in
      guard isDeclaration(at: index, in: tokens),
        let opening = bodyOpening(after: index, in: tokens),
        let closing = tokens.closingBrace(of: opening)
      else { return nil }
      let count = tokens[closing].line - tokens[index].line + 1
      guard count > limit else { return nil }
      let name = name(at: index, in: tokens)
      return file.violation(
        at: tokens[index].line, "\(name) has \(count) lines, over \(limit); make it two functions")
    }
  }

  /// Returns whether a keyword begins a declaration and not a call such as `self.init(…)`.
  private func isDeclaration(at index: Int, in tokens: [Token]) -> Bool {
    index == 0 || tokens[index - 1].text != "."
  }

  /// Returns the index of the brace that opens the body, or `nil` for a requirement or a stored
  /// property.
  private func bodyOpening(after declaration: Int, in tokens: [Token]) -> Int? {
    var depth = 0
    let isProperty = tokens[declaration].text == "var"
    for index in (declaration + 1)..<max(tokens.count, declaration + 1) {
      let text = tokens[index].text
      switch text {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case "{" where depth == 0: return index
      case "=" where depth == 0 && isProperty: return nil
      default:
        if depth < 0 || (depth == 0 && endsSignature(index, of: declaration, in: tokens)) {
          return nil
        }
      }
    }
    return nil
  }

  private func endsSignature(_ index: Int, of declaration: Int, in tokens: [Token]) -> Bool {
    // Attributes occur inside signatures as well, but not at the start of one of their lines.
    let startsLine = tokens[index].line > tokens[index - 1].line
    let text = tokens[index].text
    return text == "}" || (startsLine && Self.nextDeclaration.contains(text))
  }

  private func name(at index: Int, in tokens: [Token]) -> String {
    guard tokens[index].text == "func" || tokens[index].text == "var" else {
      return String(tokens[index].text)
    }
    let name = tokens[(index + 1)...].prefix { !["(", "<", ":", "{"].contains($0.text) }
    // An operator such as `<` has no letters to stop at.
    return name.isEmpty ? "the operator" : name.map { String($0.text) }.joined()
  }
}
