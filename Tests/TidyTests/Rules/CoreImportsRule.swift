/// The library runs where Foundation does not, and starts without loading it.
struct CoreImportsRule: TidyRule {
  let summary = "Sources/Pebbles does not import Foundation"

  func violations(in file: SourceFile) -> [Violation] {
    guard file.isInside("Sources/Pebbles") else { return [] }
    let tokens = file.tokens
    return tokens.indices.compactMap { index in
      // The module may come after a kind: `import struct Foundation.Date`.
      let names = tokens[index...].dropFirst().prefix(2).map(\.text)
      guard tokens[index].text == "import",
        let name = names.first(where: { $0.hasPrefix("Foundation") })
      else { return nil }
      return file.violation(
        at: tokens[index].line, "the core library imports \(name); the standard library must do")
    }
  }
}
