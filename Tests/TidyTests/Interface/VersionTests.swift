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

  @Test func theNightlyReleaseReadsTheVersionWhereItIs() throws {
    let script = try Repository.text(of: ".ci/nightly")
    let path = try #require(
      script.firstMatch(of: #/packageVersion.* (Sources/\S+\.swift)/#)?.output.1)

    #expect(try Repository.text(of: String(path)).contains("packageVersion = \""))
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
