import Foundation
import GRDB

/// The database: opened, migrated, written and closed here only. All of this blocks its thread.
public struct TrackerDatabase: Sendable {
  private let writer: any DatabaseWriter

  /// Where handlers read.
  public var reader: any DatabaseReader { writer }

  /// Opens a file, or makes it.
  ///
  /// - Parameter path: The file; its folder exists.
  /// - Returns: The database.
  /// - Throws: ``DamagedDatabase`` if the file is no database, or a damaged one;
  ///   ``UnopenedDatabase`` if it may not be read, say, or is a folder.
  /// - Complexity: O(size of the file): it is checked.
  public static func open(at path: String) throws -> TrackerDatabase {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    do {
      let pool = try DatabasePool(path: path, configuration: configuration)
      let findings = try pool.read { try String.fetchAll($0, sql: "PRAGMA quick_check(1)") }
      guard findings == ["ok"] else {
        try pool.close()
        throw DamagedDatabase(path: path, finding: findings.joined(separator: "; "))
      }
      return TrackerDatabase(writer: pool)
    } catch let error as DatabaseError
      where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    {
      throw DamagedDatabase(path: path, finding: error.message ?? "\(error.resultCode)")
    } catch let error as DatabaseError {
      throw UnopenedDatabase(path: path, finding: error.message ?? "\(error.resultCode)")
    }
  }

  /// Makes a database in memory, for tests.
  ///
  /// - Returns: The database.
  /// - Throws: What SQLite says.
  static func inMemory() throws -> TrackerDatabase {
    TrackerDatabase(writer: try DatabaseQueue())
  }

  /// Moves a damaged file out of the way, with what belongs to it, and opens a new one. Nothing is
  /// deleted: somebody may want to look at it.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - date: Becomes part of the new names, so that a second time does not take away what is
  ///     left of the first.
  /// - Returns: The new database, and where the damaged one is now.
  /// - Throws: What the system says if it may not be moved, and SQLite if it cannot be opened.
  package static func reset(
    at path: String, on date: Date = Date()
  ) throws -> (TrackerDatabase, String) {
    let suffix = ".damaged-\(Int(date.timeIntervalSince1970))"
    for part in ["-wal", "-shm", ""] where FileManager.default.fileExists(atPath: path + part) {
      try FileManager.default.moveItem(atPath: path + part, toPath: path + suffix + part)
    }
    return (try open(at: path), path + suffix)
  }

  /// Brings the tables up to date.
  ///
  /// - Throws: What SQLite says. What had been done by then stays, whole migrations only.
  package func migrate() throws { try trackerMigrator().migrate(writer) }

  /// Stores rows in one transaction: all of them or, if one fails or the process ends, none. A row
  /// that is there already by its identifier is replaced.
  ///
  /// - Parameter rows: In any order; of several with one identifier the last counts.
  /// - Throws: What SQLite says, and `CancellationError`.
  package func save(_ rows: [some PersistableRecord & Sendable]) throws {
    try writer.write { database in
      for row in rows {
        try Task.checkCancellation()
        try row.upsert(database)
      }
    }
  }

  /// Sees to it that the search index is that of the launches, and makes it anew if not.
  ///
  /// - Returns: Whether it had to be made anew.
  /// - Throws: What SQLite says.
  /// - Complexity: O(text of all launches).
  package func mendSearchIndex() throws -> Bool { try writer.write { try $0.mendSearchIndex() } }

  /// How many launches there are.
  ///
  /// - Throws: What SQLite says.
  package func launchCount() throws -> Int { try writer.read { try Launch.fetchCount($0) } }

  /// Closes the file, once those have ended that read or write. What is still in its log becomes
  /// part of the file.
  ///
  /// - Throws: What SQLite says.
  package func close() throws {
    // Where it cannot be now, the next who opens the file does it.
    _ = try? writer.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    try writer.close()
  }
}

/// A file that is no database, or no longer one.
public struct DamagedDatabase: Error, CustomStringConvertible {
  /// Where it is.
  public let path: String

  /// What SQLite found.
  public let finding: String

  /// The error as a sentence.
  public var description: String { "the database \(path) is damaged: \(finding)" }
}

/// A file that cannot be opened, whatever is in it.
public struct UnopenedDatabase: Error, CustomStringConvertible {
  /// Where it is.
  public let path: String

  /// What SQLite found.
  public let finding: String

  /// The error as a sentence.
  public var description: String {
    "the database \(path) cannot be opened: \(finding); give another file with --database"
  }
}
