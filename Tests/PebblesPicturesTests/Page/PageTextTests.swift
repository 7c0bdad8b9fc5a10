import Foundation
import Testing

@testable import PebblesPictures

/// Tests that the checked-in text of the page is up to date with its sources.
@Suite(.enabled(if: PageMaker.isThere, Comment(rawValue: PageMaker.needs)))
struct PageTextTests {
  @Test func theCheckedInTextIsWhatTheSourcesMake() throws {
    let checkedIn = try String(contentsOf: PageMaker.checkedIn, encoding: .utf8)

    #expect(
      try PageMaker.made() == checkedIn,
      "run Sources/PebblesPictures/Page/Source/make after a change of the page's sources")
  }
}

/// A namespace for the script that generates the text of the page.
enum PageMaker {
  static let needs = "Making the text of the page takes bash, sed, awk, base64 and a SHA-256"

  static let isThere =
    ["bash", "sed", "awk", "base64"].allSatisfy { Program.path(of: $0) != nil }
    && (Program.path(of: "sha256sum") ?? Program.path(of: "shasum")) != nil

  // This file is Tests/PebblesPicturesTests/Page/PageTextTests.swift.
  private static let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }
  private static let folder = root.appending(path: "Sources/PebblesPictures/Page")

  static let checkedIn = folder.appending(path: "Generated/PageText.swift")

  static func made() throws -> String {
    let script = folder.appending(path: "Source/make").path
    return try Program.run(Program.path(of: "bash") ?? "bash", [script, "--print"])
  }
}
