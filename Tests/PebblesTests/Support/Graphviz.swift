import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Runs the real `dot`.
enum Graphviz {
  static let howToInstall: String =
    "Graphviz is not installed: `apt-get install graphviz` or `brew install graphviz` adds `dot`"

  static let isInstalled: Bool = (try? run(["-V"], input: "")) != nil

  struct Rejection: Error {
    let message: String
  }

  /// The drawing of `text` as SVG.
  ///
  /// - Throws: `Rejection` if `dot` reports an error or a warning, or if the SVG is not XML.
  static func svg(_ text: String) throws -> String {
    let svg = try run(["-Tsvg"], input: text)
    let parser = XMLParser(data: Data(svg.utf8))
    guard parser.parse() else {
      throw Rejection(message: "no XML: \(String(describing: parser.parserError))")
    }
    return svg
  }

  /// Through files, since two pipes could wait for each other.
  private static func run(_ arguments: [String], input: String) throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = ["in", "out", "error"].map { folder.appending(path: $0) }
    for file in files { try Data().write(to: file) }
    try Data(input.utf8).write(to: files[0])

    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["dot"] + arguments
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    try process.run()
    process.waitUntilExit()

    let complaints = try String(contentsOf: files[2], encoding: .utf8)
    guard process.terminationStatus == 0, arguments == ["-V"] || complaints.isEmpty else {
      throw Rejection(message: "dot ended with \(process.terminationStatus): \(complaints)")
    }
    return try String(contentsOf: files[1], encoding: .utf8)
  }
}
