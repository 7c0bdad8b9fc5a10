import Foundation

/// The right to change what is in a folder, among processes that ask for it.
///
/// The folder itself is locked, because the file in it is replaced by another one every time, and
/// so that no lock files are left lying about. The system lets go of it when the process ends.
final class StoreLock: Sendable {
  private static let patience = Duration.seconds(30)

  private let folder: Descriptor

  private init(_ folder: consuming Descriptor) {
    self.folder = folder
  }

  /// Waits for the lock without holding up a thread, and not forever.
  static func acquire(forFolderOf file: File) async throws -> StoreLock {
    let clock = ContinuousClock()
    let deadline = clock.now + patience
    let folder = try Descriptor(opening: file.directory, O_RDONLY | O_CLOEXEC, to: "lock")
    let lock = StoreLock(folder)
    while try !lock.folder.tryLock() {
      guard clock.now < deadline else {
        throw FileError(
          path: file.path, action: "lock", reason: "another program has held it for \(patience)")
      }
      try await clock.sleep(for: .milliseconds(20))
    }
    return lock
  }

  func release() {
    folder.unlock()
  }
}
