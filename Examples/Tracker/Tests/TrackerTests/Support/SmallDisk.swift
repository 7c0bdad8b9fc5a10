import Foundation
import TrackerTestSupport

/// A disk in memory that a test can fill or make read-only. Only root can create one, and not on
/// every system.
final class SmallDisk {
  private let folder: Folder

  static let isPossible = (try? SmallDisk()) != nil
  static let whyNot = "only where `mount -t tmpfs` is allowed, as it is for root"

  struct NotMounted: Error {}

  init() throws {
    folder = try Folder()
    try Self.run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder.path)
  }

  deinit {
    try? Self.run("umount", folder.path)
  }

  func file(_ name: String) -> String { folder.file(name) }

  func becomeReadOnly() throws { try Self.run("mount", "-o", "remount,ro", folder.path) }

  /// Writes to the disk until there is no room for another byte.
  func fill() throws {
    let path = file("filling")
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let handle = FileHandle(forWritingAtPath: path)
    for size in [4_096, 1] {
      while (try? handle?.write(contentsOf: Data(count: size))) != nil {}
    }
    try handle?.close()
  }

  private static func run(_ words: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.runAlone()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw NotMounted() }
  }
}
