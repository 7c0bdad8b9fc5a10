/// A rule that declarations that are implicitly public have documentation. If documentation is hard
/// to write, the API is wrong.
///
/// The formatter already requires documentation for declarations with the modifier `public`. This
/// rule covers the cases of public enums and the requirements of public protocols.
struct DocumentationRule: TidyRule {
  let summary = "cases of public enums and requirements of public protocols are documented"

  private static let requirements: Set<Substring> = [
    "func", "var", "init", "subscript", "associatedtype",
  ]

  func violations(in file: SourceFile) -> [Violation] {
    guard file.isInside("Sources") else { return [] }
    let tokens = file.tokens
    let types = file.places(of: ["public"]).map { access in
      tokens[(access + 1)...].drop { $0.text == "indirect" }.startIndex
    }
    return types.flatMap { members(ofTypeAt: $0, in: tokens) }.compactMap { index in
      guard !isDocumented(tokens[index], in: file) else { return nil }
      let name = tokens[index...].dropFirst().first?.text ?? ""
      return file.violation(
        at: tokens[index].line,
        "the public declaration \(tokens[index].text) \(name) has no documentation; say what it is")
    }
  }

  /// Returns the declarations directly inside the braces of an enum or a protocol. They have the
  /// same access level as the type.
  private func members(ofTypeAt keyword: Int, in tokens: [Token]) -> [Int] {
    let introducers: Set<Substring>
    switch tokens[keyword...].first?.text {
    case "enum": introducers = ["case"]
    case "protocol": introducers = Self.requirements
    default: return []
    }
    guard let opening = tokens[keyword...].firstIndex(where: { $0.text == "{" }),
      let closing = tokens.closingBrace(of: opening)
    else { return [] }
    var members: [Int] = []
    var depth = 0
    for index in (opening + 1)..<closing {
      switch tokens[index].text {
      case "{", "(": depth += 1
      case "}", ")": depth -= 1
      case let text where depth == 0 && introducers.contains(text): members.append(index)
      default: break
      }
    }
    return members
  }

  private func isDocumented(_ token: Token, in file: SourceFile) -> Bool {
    let above = file.lineAbove(declarationAt: token.line)
    return above.hasPrefix("///") || above.hasSuffix("*/")
  }
}
