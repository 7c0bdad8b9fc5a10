import Testing

@Suite struct SafetyRuleTests {
  @Test(arguments: [
    "import Foundation", "import FoundationEssentials", "public import struct Foundation.Date",
  ])
  func theLibraryMayNotImportFoundation(_ text: String) {
    let tests = SourceFile(path: "Tests/PebblesTests/A.swift", text: text)
    #expect(CoreImportsRule().violations(in: tests).isEmpty)

    for module in ["Pebbles/Engine", "PebblesAnalysis", "PebblesPictures", "PebblesTesting"] {
      let file = SourceFile(path: "Sources/\(module)/A.swift", text: text)
      #expect(CoreImportsRule().violations(in: file).map(\.line) == [1])
    }
  }

  @Test(arguments: [
    "import FoundationEssentials", "internal import struct FoundationEssentials.Data",
    "#if canImport(FoundationEssentials)\ninternal import FoundationEssentials\n#else\n"
      + "internal import Foundation\n#endif",
  ])
  func whatRunsOutsideOfOneProcessMayImportAPartOfIt(_ text: String) {
    let file = SourceFile(path: "Sources/PebblesDurable/Attempts/A.swift", text: text)

    #expect(CoreImportsRule().violations(in: file).isEmpty)
  }

  @Test(arguments: [
    "\nimport Foundation", "#if os(Linux)\nimport Foundation\n#endif",
    "#else\nimport Foundation", "import FoundationEssentials\nimport Foundation",
    "import FoundationEssentials\nimport FoundationNetworking",
  ])
  func whatRunsOutsideOfOneProcessMayNotImportAllOfIt(_ text: String) {
    let file = SourceFile(path: "Sources/PebblesDurable/Attempts/A.swift", text: text)

    #expect(CoreImportsRule().violations(in: file).map(\.line) == [2])
  }

  @Test(arguments: [
    "import Synchronization", "// import Foundation", "let a = \"import Foundation\"",
  ])
  func theLibraryMayImportTheStandardLibrary(_ text: String) {
    let file = SourceFile(path: "Sources/Pebbles/A.swift", text: text)

    #expect(CoreImportsRule().violations(in: file).isEmpty)
  }

  @Test(arguments: [
    "final class A: @unchecked Sendable {}",
    "// Immutable.\n\nstruct A: @unchecked Sendable {}",
    "let a = 1  // Immutable.\nextension A: @unchecked Sendable {}",
  ])
  func uncheckedSendableNeedsAReason(_ text: String) {
    #expect(
      UncheckedSendableRule().violations(in: SourceFile(path: "A.swift", text: text)).count == 1)
  }

  @Test(arguments: [
    "// Immutable once made.\nfinal class A: @unchecked Sendable {}",
    "/// Safe: set once.\n@usableFromInline\nfinal class A<B>\n  : @unchecked Sendable {}",
    "final class A: Sendable {}",
    "// @unchecked Sendable",
  ])
  func explainedOrCheckedSendablePasses(_ text: String) {
    #expect(UncheckedSendableRule().violations(in: SourceFile(path: "A.swift", text: text)).isEmpty)
  }
}
