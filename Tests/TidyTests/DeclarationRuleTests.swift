import Testing

@Suite struct DeclarationRuleTests {
  @Test(arguments: [
    "/// A.\npublic enum A {\n  /// B.\n  case b\n  var c: Int { switch self { case .b: 1 } }\n}",
    "/// A.\npublic protocol A {\n  /// B.\n  associatedtype B\n  /// C.\n  func c()\n}",
    "/// A.\npublic enum A {\n  /** B. */\n  case b\n}",
    "enum A {\n  case b\n}", "let text = \"public enum A { case b }\"", "public",
    "/// A.\npublic struct A {\n  enum B { case c }\n}",
    "/// A.\npublic func a<T>() where T: Sendable {\n  switch b { case .c: break }\n}",
  ])
  func documentedOrInternalMembersPass(_ text: String) {
    let file = SourceFile(path: "Sources/Pebbles/A.swift", text: text)

    #expect(DocumentationRule().violations(in: file).isEmpty)
  }

  @Test(arguments: [
    ("/// A.\npublic enum A {\n  case b\n}", 3, "case b"),
    ("/// A.\n@frozen\npublic indirect enum A {\n  // B.\n  case b\n}", 5, "case b"),
    ("/// A.\npublic protocol A {\n  func b()\n}", 3, "func b"),
    ("/// A.\npublic protocol A {\n  /// B.\n\n  var b: Int { get }\n}", 5, "var b"),
  ])
  func undocumentedMembersAreNamed(_ text: String, line: Int, _ declaration: String) {
    let file = SourceFile(path: "Sources/Pebbles/A.swift", text: text)

    #expect(
      DocumentationRule().violations(in: file).map(\.description) == [
        "Sources/Pebbles/A.swift:\(line): the public declaration \(declaration) has no "
          + "documentation; say what it is"
      ])
  }

  @Test func documentationIsAskedOfSourcesOnly() {
    let file = SourceFile(path: "Tests/PebblesTests/A.swift", text: "public enum A { case b }")

    #expect(DocumentationRule().violations(in: file).isEmpty)
  }

  @Test(arguments: ["struct RunManager {}", "enum Utils {}", "typealias PondHelper = Int"])
  func emptyWordsInTypeNamesAreFound(_ text: String) {
    let file = SourceFile(path: "Sources/A.swift", text: text)

    #expect(NamingRule().violations(in: file).map(\.line) == [1])
  }

  @Test func anEmptyWordInAFileNameIsFound() {
    let file = SourceFile(path: "Sources/String+Util.swift", text: "")

    #expect(
      NamingRule().violations(in: file).map(\.description) == [
        "Sources/String+Util.swift:1: Util in String+Util says nothing; name what it does"
      ])
  }

  @Test(arguments: [
    "let files = FileManager.default", "struct Utilization {}", "// struct RunManager {}",
  ])
  func otherNamesPass(_ text: String) {
    #expect(NamingRule().violations(in: SourceFile(path: "Sources/A.swift", text: text)).isEmpty)
  }
}
