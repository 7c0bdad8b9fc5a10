import ArgumentParser
import Foundation

/// The documents that contain tables of results. In each document, two invisible lines mark where
/// the tables belong.
enum Readmes {
  private static let start = "<!-- figures -->\n"
  private static let end = "<!-- up to here -->\n"
  private static let article = "Sources/Pebbles/Pebbles.docc/HowFast.md"

  /// Replaces the tables in the documents.
  static func update(_ results: Results) throws {
    // The path of this file is Benchmarks/Sources/compare/Tables.
    var package = URL(filePath: #filePath)
    for _ in 0..<5 { package.deleteLastPathComponent() }
    try replace(in: package.appending(path: article), by: results.brief)
    try replace(in: package.appending(path: "Benchmarks/README.md"), by: results.markdown)
  }

  private static func replace(in file: URL, by tables: String) throws {
    var text = try String(contentsOf: file, encoding: .utf8)
    guard let start = text.range(of: start),
      let end = text.range(of: end, range: start.upperBound..<text.endIndex)
    else { throw ValidationError("\(file.path()) does not say where the tables stand.") }
    text.replaceSubrange(start.upperBound..<end.lowerBound, with: "\n\(tables)\n")
    try text.write(to: file, atomically: true, encoding: .utf8)
  }
}
