import Foundation

/// A folder that goes with the last reference to it.
final class Folder: Sendable {
  let path: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("tracker-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String) -> String { path + "/" + name }

  /// Leaves no place for what SQLite writes beside a database, even to read it. That is so also for
  /// root, who may write whatever is read-only.
  func obstruct(_ name: String) throws {
    for part in ["-shm", "-wal"] where contains(name + part) {
      try FileManager.default.removeItem(atPath: file(name + part))
    }
    try obstructIndex(of: name)
  }

  /// The same, but its log stays.
  func obstructIndex(of name: String) throws {
    // SQLite follows no link there.
    try FileManager.default.createSymbolicLink(
      atPath: file(name + "-shm"), withDestinationPath: "none/none")
  }

  private func contains(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: file(name))
  }

  var contents: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
