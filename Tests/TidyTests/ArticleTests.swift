import Testing

@Suite struct ArticleTests {
  @Test func everySuiteThatIsNamedAsAProofIsThere() throws {
    let article = try Repository.text(
      of: "Sources/Pebbles/Pebbles.docc/WhatIsTested.md")
    // A file of tests is called what its suite is.
    let suites = Set(try Repository.sourceFiles().map(\.name))
    let named = article.matches(of: #/`(\w+Tests)`/#).map(\.output.1)

    #expect(named.count > 30)
    #expect(named.filter { !suites.contains($0) }.isEmpty)
  }
}
