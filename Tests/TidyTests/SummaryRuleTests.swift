import Testing

@Suite struct SummaryRuleTests {
  @Test(arguments: [
    "/// Returns the outcome.\nfunc outcome() {}", "/// Creates a pond.\npublic init() {}",
    "/// The outcome.\nvar outcome = 1", "/// Whether it is ready.\n@inlinable\nvar isReady: Bool",
    "/// A pond.\nstruct Pond {\n  /// Cancels the run.\n  static func cancel() {}\n}",
    "/// - Parameter a: The number.\nfunc a(_ a: Int) {}", "// What it is.\nlet a = 1",
  ])
  func plainSummariesPass(_ text: String) {
    let file = SourceFile(path: "Sources/Pebbles/A.swift", text: text)

    #expect(SummaryRule().violations(in: file).isEmpty)
  }

  @Test(arguments: [
    ("/// What has ended.\nlet ended = 1", 1, "begins with What; say what it is or does"),
    (
      "struct A {\n  /// Those that run.\n  /// All of them.\n  var b = 1\n}", 2,
      "begins with Those; say what it is or does"
    ),
    (
      "/// The outcome.\nfunc outcome() {}", 1,
      "a function begins with The; begin with a verb: Returns, Creates"
    ),
    (
      "/// Is told that it ends.\n@inlinable\nmutating func end() {}", 1,
      "a function begins with Is; begin with a verb: Returns, Creates"
    ),
  ])
  func riddlesAreNamed(_ text: String, line: Int, _ sentence: String) {
    let file = SourceFile(path: "Sources/Pebbles/A.swift", text: text)

    #expect(
      SummaryRule().violations(in: file).map(\.description) == [
        "Sources/Pebbles/A.swift:\(line): \(sentence)"
      ])
  }

  @Test func testsMayBeginAsTheyLike() {
    let file = SourceFile(path: "Tests/PebblesTests/A.swift", text: "/// What is.\nlet a = 1")

    #expect(SummaryRule().violations(in: file).isEmpty)
  }
}
