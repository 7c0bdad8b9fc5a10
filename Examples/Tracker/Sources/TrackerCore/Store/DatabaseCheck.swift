import Foundation
import GRDB

/// A database that was open and whole, and is not any more.
package struct LostDatabase: Error, CustomStringConvertible {
  let path: String

  /// What became of it, as a clause.
  let finding: String

  /// Whether the file is still the one that is open: then what is put back into it is read again.
  var isSameFile = true

  package var description: String {
    let advice =
      isSameFile
      ? "put it back into that file, or start again to begin anew"
      : "start again to read what is there now"
    return "the database \(path) \(finding); \(advice)"
  }
}

/// Which file is at a path. One that is open goes on to be read and written after its name is gone,
/// and then all that is stored is lost with the process.
struct FileIdentity: Sendable, Hashable {
  private let device: Int
  private let number: Int

  /// `nil` if there is no file, or the system does not say.
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
  /// Looks whether the file is still the one that was opened, may be read and is whole.
  ///
  /// It is opened anew for that: what a connection has read it does not read again, so it would
  /// find nothing wrong with a file that was overwritten since. What is in the log of SQLite as
  /// well is no damage, and is not found.
  ///
  /// - Throws: ``LostDatabase``.
  /// - Complexity: O(size of the file).
  package func check() throws {
    guard let file else { return }
    switch FileIdentity(at: path) {
    case nil: throw LostDatabase(path: path, finding: "is gone", isSameFile: false)
    case file: break
    case _?:
      throw LostDatabase(
        path: path, finding: "has been replaced by another file", isSameFile: false)
    }
    // One that is empty SQLite takes for a new one, whose log it deletes.
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

  /// Looks whether the file is whole, and reads it again if the site could not show what is in it.
  ///
  /// - Parameter site: Says whether it could.
  /// - Throws: ``LostDatabase``, and what SQLite says.
  /// - Complexity: O(size of the file).
  func check(for site: Site) throws {
    try check()
    if case .offline = site.screen { try readAgain() }
  }

  /// Has all connections read again what they have read, after the file was put back.
  ///
  /// - Throws: What SQLite says.
  package func readAgain() throws {
    guard let pool = writer as? DatabasePool else { return }
    pool.invalidateReadOnlyConnections()
    pool.releaseMemory()
  }
}
