/// If the documentation is hard to write, the API is wrong.
///
/// Covers what is declared `public` or `open`, and what is public without saying so: the cases of
/// public enums and the requirements of public protocols.
struct DocumentationRule: TidyRule {
  let summary = "public declarations are documented"

  private static let accessLevels: Set<Substring> = ["public", "open"]
  private static let declarations: Set<Substring> = [
    "func", "var", "let", "init", "subscript", "case", "struct", "class", "enum", "actor",
    "protocol",
    "typealias", "associatedtype", "macro",
  ]
  private static let transparentTypes: Set<Substring> = ["enum", "protocol"]

  func violations(in file: SourceFile) -> [Violation] {
    guard file.isInside("Sources") else { return [] }
    let tokens = file.tokens
    var declared: [Int] = []
    for index in tokens.indices where Self.accessLevels.contains(tokens[index].text) {
      guard let keyword = keyword(after: index, in: tokens) else { continue }
      declared.append(keyword)
      if Self.transparentTypes.contains(tokens[keyword].text) {
        declared += members(ofTypeAt: keyword, in: tokens)
      }
    }
    return declared.compactMap { index in
      guard !isDocumented(tokens[index], in: file) else { return nil }
      let name = tokens[index...].dropFirst().first?.text ?? ""
      return file.violation(
        at: tokens[index].line,
        "the public declaration \(tokens[index].text) \(name) has no documentation; say what it is")
    }
  }

  /// The word that says what is declared, past modifiers such as `static` or `private(set)`.
  private func keyword(after access: Int, in tokens: [Token]) -> Int? {
    let line = tokens[access].line
    let end = tokens[access...].firstIndex { $0.line > line || $0.text == "{" } ?? tokens.endIndex
    let found = tokens[access..<end].firstIndex { Self.declarations.contains($0.text) }
    // `public class func` and the like declare what comes second.
    guard let found, tokens[found].text == "class", found + 1 < end,
      Self.declarations.contains(tokens[found + 1].text)
    else { return found }
    return found + 1
  }

  /// The declarations directly inside the braces of a type, which share its access level.
  private func members(ofTypeAt keyword: Int, in tokens: [Token]) -> [Int] {
    let isEnum = tokens[keyword].text == "enum"
    guard let opening = tokens[keyword...].firstIndex(where: { $0.text == "{" }),
      let closing = tokens.closingBrace(of: opening)
    else { return [] }
    var members: [Int] = []
    var depth = 0
    for index in (opening + 1)..<closing {
      switch tokens[index].text {
      case "{", "(": depth += 1
      case "}", ")": depth -= 1
      case "case" where depth == 0 && isEnum: members.append(index)
      case let text where depth == 0 && !isEnum && Self.declarations.contains(text):
        members.append(index)
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
