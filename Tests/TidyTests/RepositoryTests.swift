import Testing

@Suite struct RepositoryTests {
  @Test(arguments: tidyRules)
  func everySourceFileFollowsTheRule(_ rule: any TidyRule) throws {
    let violations = try Repository.sourceFiles().flatMap(rule.violations)

    guard !violations.isEmpty else { return }
    let lines = violations.map(\.description).joined(separator: "\n")
    Issue.record("\(violations.count) places break the rule: \(rule.summary)\n\(lines)")
  }

  @Test(arguments: ["Sources/Pebbles", "Examples/Launches", "Tests/TidyTests"])
  func theWalkReachesTheFolder(_ folder: String) throws {
    let files = try Repository.sourceFiles()

    #expect(files.contains { $0.isInside(folder) })
  }

  @Test func buildProductsAndFixturesAreNotWalked() throws {
    let files = try Repository.sourceFiles()

    #expect(!files.contains { $0.path.contains("/.build") || $0.path.contains("/Fixtures/") })
  }
}
