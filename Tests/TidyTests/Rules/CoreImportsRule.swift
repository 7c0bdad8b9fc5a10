/// A rule that sources do not import Foundation, so that the library also runs on platforms without
/// it, and starts without loading it. Only `PebblesDurable`, which supports several processes,
/// imports the part that writes JSON.
struct CoreImportsRule: TidyRule {
  let summary = "Sources do not import Foundation, except FoundationEssentials in PebblesDurable"

  func violations(in file: SourceFile) -> [Violation] {
    guard file.isInside("Sources") else { return [] }
    let tokens = file.tokens
    return file.places(of: ["import"]).compactMap { index in
      // The module may come after a kind: `import struct Foundation.Date`.
      let names = tokens[index...].dropFirst().prefix(2).map(\.text)
      guard let name = names.first(where: { $0.hasPrefix("Foundation") }),
        !(file.isInside("Sources/PebblesDurable") && mayImport(name, at: index, in: tokens))
      else { return nil }
      return file.violation(
        at: tokens[index].line, "the library imports \(name); the standard library must do")
    }
  }

  /// Returns whether an import is that of FoundationEssentials, or that of Foundation on platforms
  /// that have no separate FoundationEssentials.
  private func mayImport(_ name: Substring, at index: Int, in tokens: [Token]) -> Bool {
    let before = tokens[..<index].map(\.text).filter { $0 != "internal" }.suffix(3)
    return name == "FoundationEssentials"
      || (name == "Foundation" && before == ["FoundationEssentials", "#", "else"])
  }
}
