import Foundation

/// The folders and files of the mutation tests.
struct Workplace: Sendable {
  /// The path of the repository.
  let root: String

  var folder: String { "\(root)/.build-mutants" }
  var package: String { "\(folder)/package" }
  var mutants: String { "\(folder)/mutants.json" }
  var suites: String { "\(folder)/suites.jsonl" }
  var results: String { "\(folder)/results.jsonl" }
  var survivors: String { "\(folder)/survivors" }
  var equivalents: String { "\(root)/Tests/Mutation/equivalent.txt" }

  /// The path of the file with the identifiers of mutants that the compiler rejects. They are not
  /// compiled again.
  var rejected: String { "\(root)/Tests/Mutation/rejected.txt" }

  /// The folder in which the copy is built.
  var building: String { "\(folder)/build" }
  var tests: String { "\(building)/debug/swift-pondPackageTests.xctest" }

  static func read(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  /// Writes a file. If the file already has this text, it is not touched, so that it is not
  /// recompiled.
  static func write(_ text: String, to path: String) throws {
    if let old = try? read(path), old == text { return }
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  static func append(_ text: String, to path: String) throws {
    if !FileManager.default.fileExists(atPath: path) {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    guard let file = FileHandle(forWritingAtPath: path) else {
      throw Failure("cannot write \(path)")
    }
    defer { try? file.close() }
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
  }

  func readMutants() throws -> [Mutant] {
    guard let data = FileManager.default.contents(atPath: mutants) else {
      throw Failure("There are no mutants yet: `Tests/mutate make` makes them.")
    }
    return try JSONDecoder().decode([Mutant].self, from: data)
  }
}

/// An error whose description says what went wrong and what to do about it.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
