import Foundation
import GRDB

/// The database: opened, migrated, written and closed here only. All of this blocks its thread.
public struct TrackerDatabase: Sendable {
  let path: String
  let writer: any DatabaseWriter

  /// Why it can only be read; `nil` if that is not known of it.
  let obstacle: UnwritableDatabase?

  /// Which file was opened; `nil` in memory.
  let file: FileIdentity?

  /// Where handlers read.
  public var reader: any DatabaseReader { writer }

  /// Opens a file, or makes it.
  ///
  /// One that can be read but not written, as on a disk that is full, is opened all the same: what
  /// writes throws ``UnwritableDatabase`` then, and so it is until it is opened anew.
  ///
  /// - Parameter path: The file; its folder exists.
  /// - Returns: The database.
  /// - Throws: ``DamagedDatabase`` if the file is no database, or a damaged one;
  ///   ``UnopenedDatabase`` if it may not be read, say, or is a folder.
  /// - Complexity: O(size of the file): it is checked.
  public static func open(at path: String) throws -> TrackerDatabase {
    do {
      let pool = try pool(of: path, at: path)
      return TrackerDatabase(
        path: path, writer: pool, obstacle: nil, file: FileIdentity(at: path))
    } catch let error as DatabaseError {
      let unopened = UnopenedDatabase(path: path, finding: error.finding)
      guard error.isOfWriting else { throw unopened }
      do {
        return TrackerDatabase(
          path: path, writer: try pool(of: path, at: addressForReading(path), isReadOnly: true),
          obstacle: UnwritableDatabase(path: path, finding: error.finding),
          file: FileIdentity(at: path))
      } catch is DatabaseError {
        throw unopened
      }
    }
  }

  /// Opens a file, and looks whether it is whole.
  ///
  /// - Parameters:
  ///   - path: What it is called.
  ///   - address: The same, or an address of it.
  ///   - isReadOnly: Whether nothing is to be written.
  /// - Returns: The database.
  /// - Throws: ``DamagedDatabase``, and what else SQLite says.
  private static func pool(
    of path: String, at address: String, isReadOnly: Bool = false
  ) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.readonly = isReadOnly
    return try findingDamage(in: path) {
      let pool = try DatabasePool(path: address, configuration: configuration)
      do {
        try pool.read { try lookForDamage(of: path, in: $0) }
      } catch {
        try? pool.close()
        throw error
      }
      return pool
    }
  }

  static func findingDamage<Value>(
    in path: String, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError
      where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    {
      throw DamagedDatabase(path: path, finding: error.finding)
    }
  }

  static func lookForDamage(of path: String, in database: Database) throws {
    let findings = try String.fetchAll(database, sql: "PRAGMA quick_check(1)")
    guard findings == ["ok"] else {
      // Some begin with a line that says of which database.
      let findings = findings.compactMap { $0.split(separator: "\n").last }
      throw DamagedDatabase(path: path, finding: findings.joined(separator: "; "))
    }
    guard try trackerMigrator().hasCompletedMigrations(database) else { return }
    for table in trackerTables where try !database.tableExists(table) {
      throw DamagedDatabase(path: path, finding: "its table \(table) is missing")
    }
  }

  /// Also to read, SQLite writes beside the file, unless it is told that nobody changes that. It
  /// passes over the log then, so it is told only where nothing is in there.
  static func addressForReading(_ path: String) -> String {
    let file = resolved(path)
    let hasLog = ["-wal", "-journal"].contains { part in
      let attributes = try? FileManager.default.attributesOfItem(atPath: file + part)
      return (attributes?[.size] as? Int ?? 0) > 0
    }
    return hasLog ? path : URL(fileURLWithPath: file).absoluteString + "?immutable=1"
  }

  /// The file that a symbolic link leads to, beside which SQLite keeps its log; the path itself, if
  /// it is none.
  static func resolved(_ path: String) -> String {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard attributes?[.type] as? FileAttributeType == .typeSymbolicLink else { return path }
    return URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  /// Makes a database in memory, for tests.
  ///
  /// - Returns: The database.
  /// - Throws: What SQLite says.
  static func inMemory() throws -> TrackerDatabase {
    TrackerDatabase(path: ":memory:", writer: try DatabaseQueue(), obstacle: nil, file: nil)
  }

  /// Moves a damaged file out of the way, with what belongs to it, and opens a new one. Nothing is
  /// deleted: somebody may want to look at it. Of a symbolic link it is the file that is moved, and
  /// the new one is where the link leads.
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
    let (file, suffix) = (resolved(path), ".damaged-\(Int(date.timeIntervalSince1970))")
    for part in ["-wal", "-shm", ""] where FileManager.default.fileExists(atPath: file + part) {
      try FileManager.default.moveItem(atPath: file + part, toPath: file + suffix + part)
    }
    return (try open(at: path), file + suffix)
  }

  /// Brings the tables up to date, if they are not.
  ///
  /// - Throws: ``UnwritableDatabase``, and what SQLite says. What had been done by then stays,
  ///   whole migrations only.
  package func migrate() throws {
    // Looked at first: to migrate writes, even if there is nothing to do.
    if try writer.read(trackerMigrator().hasCompletedMigrations) { return }
    try writing { try trackerMigrator().migrate(writer) }
  }

  /// Stores rows in one transaction: all of them or, if one fails or the process ends, none. A row
  /// that is there already by its identifier is replaced.
  ///
  /// - Parameters:
  ///   - rows: In any order; of several with one identifier the last counts.
  ///   - date: When, which is noted beside them.
  /// - Throws: ``UnwritableDatabase``, ``DamagedDatabase``, what SQLite says, and
  ///   `CancellationError`.
  package func save<Row: PersistableRecord & Sendable>(
    _ rows: [Row], on date: Date = Date()
  ) throws {
    try writing {
      try writer.write { database in
        for row in rows {
          try Task.checkCancellation()
          try row.upsert(database)
        }
        let time = StoredTime(
          name: Row.databaseTableName, date: Int64(date.timeIntervalSince1970))
        try time.upsert(database)
      }
    }
  }

  private func writing<Value>(_ body: () throws -> Value) throws -> Value {
    if let obstacle { throw obstacle }
    do {
      return try Self.findingDamage(in: path, body)
    } catch let error as DatabaseError where error.isOfWriting {
      throw UnwritableDatabase(path: path, finding: error.finding, isOpenedForReading: false)
    }
  }

  /// Sees to it that the search index is that of the launches, and makes it anew if not.
  ///
  /// - Returns: Whether it had to be made anew.
  /// - Throws: ``UnwritableDatabase``, and what SQLite says.
  /// - Complexity: O(text of all launches).
  package func mendSearchIndex() throws -> Bool {
    // For SQLite, even to look at an index is to write.
    try writing { try writer.write { try $0.mendSearchIndex() } }
  }

  /// Brings what is in the log of SQLite into the file itself, so that this alone is the database.
  ///
  /// - Throws: ``UnwritableDatabase``, ``DamagedDatabase``, and what SQLite says.
  package func checkpoint() throws {
    try writing { _ = try writer.writeWithoutTransaction { try $0.checkpoint(.passive) } }
  }

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
    if obstacle == nil {
      _ = try? writer.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    }
    try writer.close()
  }
}
