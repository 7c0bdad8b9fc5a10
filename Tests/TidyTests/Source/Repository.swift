import Foundation

/// A namespace for reading the files of this repository. Its Swift files are those that are not
/// generated.
enum Repository {
  private static let folders = ["Sources", "Examples", "Tests", "Benchmarks"]
  private static let skippedFolders: Set = ["Fixtures", "Generated"]

  private static var root: URL {
    // This file is Tests/TidyTests/Source/Repository.swift.
    (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
  }

  private static let files = Result { try readFiles() }

  /// Returns all Swift files, sorted by path. The files are read only once for all rules.
  static func sourceFiles() throws -> [SourceFile] {
    try files.get()
  }

  /// Returns the plan of rooms from the guide for contributors.
  static func roomPlan() throws -> RoomPlan {
    RoomPlan(markdown: try text(of: RoomPlan.path))
  }

  /// Returns the text of a file that is not a Swift file.
  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Returns the text of CHANGELOG.md under the heading of a version.
  static func changes(under heading: String) throws -> Substring {
    let sections = try text(of: "CHANGELOG.md").split(separator: "\n## ").dropFirst()
    return sections.first { $0.hasPrefix(heading) } ?? ""
  }

  /// Returns the versions that have a heading in CHANGELOG.md, latest first.
  static func releases() throws -> [Substring] {
    let headings = try text(of: "CHANGELOG.md").split(separator: "\n## ").dropFirst()
    return headings.compactMap { $0.prefixMatch(of: #/\d+\.\d+\.\d+/#)?.output }
  }

  /// Returns the URL of the file that records the public interface of a module.
  static func interfaceFile(of module: String) -> URL {
    root.appending(path: ".interface/\(module).txt")
  }

  private static func readFiles() throws -> [SourceFile] {
    let paths = ["Package.swift"] + folders.flatMap(swiftFiles)
    return try paths.sorted().map { path in
      let url = root.appending(path: path)
      return SourceFile(path: path, text: try String(contentsOf: url, encoding: .utf8))
    }
  }

  private static func swiftFiles(in folder: String) -> [String] {
    let url = root.appending(path: folder)
    guard let walk = FileManager.default.enumerator(atPath: url.path) else { return [] }
    var paths: [String] = []
    while let path = walk.nextObject() as? String {
      let name = path.split(separator: "/").last ?? ""
      if name.hasPrefix(".") || skippedFolders.contains(String(name)) {
        walk.skipDescendants()
      } else if name.hasSuffix(".swift") {
        paths.append("\(folder)/\(path)")
      }
    }
    return paths
  }
}
