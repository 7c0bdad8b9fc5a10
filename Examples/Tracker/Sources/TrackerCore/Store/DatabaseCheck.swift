import Foundation
import GRDB

/// An error thrown when a database has been lost or damaged since it was opened.
package struct LostDatabase: Error, CustomStringConvertible {
  let path: String

  /// The problem, worded to follow the path in a sentence: `is gone`.
  let finding: String

  /// Whether the path still leads to the file that was opened. If so, restored content can be read
  /// without a restart.
  var isSameFile = true

  package var description: String {
    let advice =
      isSameFile
      ? "put it back into that file, or start again to begin anew"
      : "start again to read what is there now"
    return "the database \(path) \(finding); \(advice)"
  }
}

/// The identity of the file at a path. An open file can be read and written even after it was
/// unlinked, but its contents are then lost when the process ends.
struct FileIdentity: Sendable, Hashable {
  private let device: Int
  private let number: Int

  /// Creates the identity of the file at a path. Returns `nil` if there is no file, or the system
  /// does not provide its identity.
  init?(at path: String) {
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: file),
      let device = attributes[.systemNumber] as? NSNumber,
      let number = attributes[.systemFileNumber] as? NSNumber
    else { return nil }
    self.device = device.intValue
    self.number = number.intValue
  }
}

extension TrackerDatabase {
  /// Checks that the file is still the one that was opened, and that it is readable and intact.
  ///
  /// The check opens the file again, because an open connection does not read pages twice and would
  /// not notice that the file was overwritten. Damage in pages that are also in SQLite's log is
  /// harmless, and is not detected.
  ///
  /// - Throws: ``LostDatabase`` if the check fails.
  /// - Complexity: O(*n*), where *n* is the size of the file.
  package func check() throws {
    guard let file else { return }
    switch FileIdentity(at: path) {
    case nil: throw LostDatabase(path: path, finding: "is gone", isSameFile: false)
    case file: break
    case _?:
      throw LostDatabase(
        path: path, finding: "has been replaced by another file", isSameFile: false)
    }
    // SQLite takes an empty file for a new one, and would delete its log.
    let attributes = try? FileManager.default.attributesOfItem(atPath: Self.resolved(path))
    guard attributes?[.size] as? Int != 0 else {
      throw LostDatabase(path: path, finding: "has become empty")
    }
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.readonly = true
    do {
      try Self.findingDamage(in: path) {
        let address = obstacle == nil ? path : Self.addressForReading(path)
        let queue = try DatabaseQueue(path: address, configuration: configuration)
        defer { try? queue.close() }
        try queue.read { try Self.lookForDamage(of: path, in: $0) }
      }
    } catch let error as DamagedDatabase {
      throw LostDatabase(path: path, finding: "is damaged: \(error.finding)")
    } catch let error as DatabaseError {
      throw LostDatabase(path: path, finding: "can no longer be read: \(error.finding)")
    }
  }

  /// Checks the file. If the site is offline, makes all connections read the file again.
  ///
  /// - Parameter site: The site that shows the data.
  /// - Throws: ``LostDatabase`` if the check fails.
  /// - Complexity: O(*n*), where *n* is the size of the file.
  func check(for site: Site) throws {
    try check()
    if case .offline = site.screen { readAgain() }
  }

  /// Makes all connections read the file again, for example after it was restored.
  package func readAgain() {
    guard let pool = writer as? DatabasePool else { return }
    pool.invalidateReadOnlyConnections()
    pool.releaseMemory()
  }
}
