import Testing

@Suite struct DeclarationRuleTests {
  @Test(arguments: [
    "/// A.\npublic struct A {}",
    "/** A. */\n@frozen\npublic enum A { }",
    "/// A.\n@available(macOS 15, *)\n@inlinable public static func a() {}",
    "struct A {}",
    "let text = \"public struct A\"",
    "public import Testing",
    "public extension A {\n  func a() {}\n}",
    "/// A.\npublic enum A {\n  /// B.\n  case b\n  var c: Int { switch self { case .b: 1 } }\n}",
    "/// A.\npublic protocol A {\n  /// B.\n  associatedtype B\n  /// C.\n  func c()\n}",
  ])
  func documentedOrInternalDeclarationsPass(_ text: String) {
    let file = SourceFile(path: "Sources/Pebbles/A.swift", text: text)

    #expect(DocumentationRule().violations(in: file).isEmpty)
  }

  @Test(arguments: [
    ("public struct A {}", 1, "struct A"),
    ("// A.\npublic final class A {}", 2, "class A"),
    ("/// A.\n\npublic private(set) var a = 1", 3, "var a"),
    ("@inlinable\npublic static func a() {}", 2, "func a"),
    ("open class func a() {}", 1, "func a"),
    ("/// A.\npublic enum A {\n  case b\n}", 3, "case b"),
    ("/// A.\npublic protocol A {\n  func b()\n}", 3, "func b"),
  ])
  func undocumentedPublicDeclarationsAreNamed(_ text: String, line: Int, _ declaration: String) {
    let file = SourceFile(path: "Sources/Pebbles/A.swift", text: text)

    #expect(
      DocumentationRule().violations(in: file).map(\.description) == [
        "Sources/Pebbles/A.swift:\(line): the public declaration \(declaration) has no "
          + "documentation; say what it is"
      ])
  }

  @Test func documentationIsAskedOfSourcesOnly() {
    let file = SourceFile(path: "Tests/PebblesTests/A.swift", text: "public struct A {}")

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
