import Foundation

/// Programs that tests use if they are there.
enum Program {
  static func path(of name: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
  }

  struct Failure: Error {
    let message: String
  }

  /// Runs a program to its end, through files, since two pipes could wait for each other.
  ///
  /// - Returns: What it wrote to its standard output.
  static func run(_ path: String, _ arguments: [String], input: String = "") throws -> String {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let files = try ["in", "out", "error"].map { try folder.write("", as: $0) }
    try Data(input.utf8).write(to: files[0])
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      let message = try String(contentsOf: files[2], encoding: .utf8)
      throw Failure(message: "\(path) ended with \(process.terminationStatus): \(message)")
    }
    return try String(contentsOf: files[1], encoding: .utf8)
  }
}

struct TemporaryFolder {
  let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  func write(_ text: String, as name: String) throws -> URL {
    let file = url.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file
  }

  func remove() { try? FileManager.default.removeItem(at: url) }
}
