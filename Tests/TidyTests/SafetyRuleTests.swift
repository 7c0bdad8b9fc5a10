import Testing

@Suite struct SafetyRuleTests {
  @Test(arguments: [
    "import Foundation", "import FoundationEssentials", "public import struct Foundation.Date",
  ])
  func theCoreMayNotImportFoundation(_ text: String) {
    let core = SourceFile(path: "Sources/Pebbles/Engine/A.swift", text: text)
    let tests = SourceFile(path: "Tests/PebblesTests/A.swift", text: text)

    #expect(CoreImportsRule().violations(in: core).map(\.line) == [1])
    #expect(CoreImportsRule().violations(in: tests).isEmpty)
  }

  @Test(arguments: [
    "import Synchronization", "// import Foundation", "let a = \"import Foundation\"",
  ])
  func theCoreMayImportTheStandardLibrary(_ text: String) {
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
