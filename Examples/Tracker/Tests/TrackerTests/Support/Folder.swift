import Foundation

/// A new folder that is removed when this object is released.
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

  /// Obstructs the files that SQLite writes beside a database, even when only reading it. This
  /// works even for root, who can write to read-only files.
  func obstruct(_ name: String) throws {
    for part in ["-shm", "-wal"] where contains(name + part) {
      try FileManager.default.removeItem(atPath: file(name + part))
    }
    try obstructIndex(of: name)
  }

  /// Obstructs the same files as ``obstruct(_:)``, except for the log.
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
