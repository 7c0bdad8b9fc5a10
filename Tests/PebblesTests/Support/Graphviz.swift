import Foundation
import PebblesTestSupport

#if canImport(FoundationXML)
import FoundationXML
#endif

/// A wrapper of `dot`, the layout program of Graphviz.
enum Graphviz {
  static let howToInstall: String =
    "Graphviz is not installed: `apt-get install graphviz` or `brew install graphviz` adds `dot`"

  static let isInstalled: Bool = (try? run(["-V"], input: "")) != nil

  struct Rejection: Error {
    let message: String
  }

  /// Returns the drawing of `text` as SVG.
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

  private static func run(_ arguments: [String], input: String) throws -> String {
    let folder = try TemporaryFolder()
    let run = try ProgramRun(
      of: URL(filePath: "/usr/bin/env"), ["dot"] + arguments,
      input: folder.write(input, to: "in"))
    guard run.status == 0, arguments == ["-V"] || run.error.isEmpty else {
      throw Rejection(message: "dot ended with \(run.status): \(run.error)")
    }
    return run.output
  }
}
