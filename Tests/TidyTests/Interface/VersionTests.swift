import Foundation
import Testing

@Suite struct VersionTests {
  @Test func theREADMENamesTheLatestRelease() throws {
    let latest = try #require(try Repository.releases().first)

    #expect(try Repository.text(of: "README.md").contains("(from: \"\(latest)\")"))
  }

  @Test func theProgramsSayTheLatestReleaseOrThatTheyAreOnTheWayToTheNext() throws {
    let latest = try #require(try Repository.releases().first)
    let source = try Repository.text(of: "Sources/Pebbles/Pond.swift")
    let version = try #require(source.firstMatch(of: #/packageVersion = "([^"]+)"/#)?.output.1)

    #expect(version == latest || version.hasSuffix("-dev") && version > latest)
  }

  @Test func everyPackageTakesTheToolsThatTheREADMEPromises() throws {
    let manifests = try Repository.sourceFiles().filter { $0.name == "Package" }
    let promised = try #require(
      try Repository.text(of: "README.md").firstMatch(of: #/Swift (\d+\.\d+) or later/#)?.output.1)

    #expect(manifests.count >= 4)
    for manifest in manifests {
      #expect(manifest.lines.first == "// swift-tools-version: \(promised)", "\(manifest.path)")
    }
  }
}
