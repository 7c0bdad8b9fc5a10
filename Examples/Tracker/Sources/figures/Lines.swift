import Foundation

/// The number of lines in each boot's code. Files that both boots use are not counted.
enum Lines {
  static func compared() throws -> Comparison {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    var comparison = Comparison()
    comparison.add(
      pond: Double(try count(in: sources.appending(path: "TrackerCore/Boot"))),
      other: Double(try count(in: sources.appending(path: "figures/ByHand"))))
    return comparison
  }

  /// Returns the number of lines in a folder that are neither blank nor comments.
  private static func count(in folder: URL) throws -> Int {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "swift" }
      .map { try String(contentsOf: $0, encoding: .utf8).split(separator: "\n") }
      .joined()
      .count { line in
        let text = line.drop { $0 == " " }
        return !text.isEmpty && !text.hasPrefix("//")
      }
  }
}
