import Foundation
import GRDB

/// The tracker's database. Only this type opens, migrates, writes to and closes it. All functions
/// block the calling thread.
public struct TrackerDatabase: Sendable {
  let path: String
  let writer: any DatabaseWriter

  /// The reason why the database is read-only; `nil` if it is not known to be read-only.
  let obstacle: UnwritableDatabase?

  /// The identity of the opened file; `nil` in memory, or if the system does not provide it.
  let file: FileIdentity?

  /// The database for reading.
  public var reader: any DatabaseReader { writer }

  /// Opens a database file, and creates it if necessary.
  ///
  /// A file that can be read but not written, for example on a full disk, is opened anyway. Writes
  /// then throw ``UnwritableDatabase`` until the file is opened again.
  ///
  /// - Parameter path: The file, in an existing folder.
  /// - Returns: The database.
  /// - Throws: ``DamagedDatabase`` if the file is not a database, or is damaged;
  ///   ``UnopenedDatabase`` if it cannot be opened, for example because it is a folder or not
  ///   readable.
  /// - Complexity: O(*n*), where *n* is the size of the file, because all of it is checked.
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

  /// Opens a file, and checks that it is intact.
  ///
  /// - Parameters:
  ///   - path: The path of the file, for errors.
  ///   - address: The path, or a URL of the file.
  ///   - isReadOnly: Whether the file is opened read-only.
  /// - Returns: The database.
  /// - Throws: ``DamagedDatabase`` if the file is not intact; other SQLite errors.
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
      // Some findings begin with a line that names the database.
      let findings = findings.compactMap { $0.split(separator: "\n").last }
      throw DamagedDatabase(path: path, finding: findings.joined(separator: "; "))
    }
    guard try trackerMigrator().hasCompletedMigrations(database) else { return }
    for table in trackerTables where try !database.tableExists(table) {
      throw DamagedDatabase(path: path, finding: "its table \(table) is missing")
    }
  }

  /// Returns the address for reading a file. Even when it only reads a file, SQLite creates other
  /// files beside it, unless the address declares the file immutable. SQLite ignores the log of an
  /// immutable file, so the file is declared immutable only if the log is empty.
  static func addressForReading(_ path: String) -> String {
    let file = resolved(path)
    let hasLog = ["-wal", "-journal"].contains { part in
      let attributes = try? FileManager.default.attributesOfItem(atPath: file + part)
      return (attributes?[.size] as? Int ?? 0) > 0
    }
    return hasLog ? path : URL(fileURLWithPath: file).absoluteString + "?immutable=1"
  }

  /// Returns the target of a symbolic link, beside which SQLite keeps its log. If the path is not
  /// a link, returns the path itself.
  static func resolved(_ path: String) -> String {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard attributes?[.type] as? FileAttributeType == .typeSymbolicLink else { return path }
    return URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  /// Creates a database in memory, for tests.
  ///
  /// - Returns: The database.
  /// - Throws: SQLite errors.
  static func inMemory() throws -> TrackerDatabase {
    TrackerDatabase(path: ":memory:", writer: try DatabaseQueue(), obstacle: nil, file: nil)
  }

  /// Renames a damaged file and its log, and opens a new file. Nothing is deleted, so the damaged
  /// file can be examined. If the path is a symbolic link, the target is renamed, and the new file
  /// takes its place.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - date: The time, which becomes part of the new names. A second reset therefore does not
  ///     overwrite the files of the first.
  /// - Returns: The new database, and the path of the damaged file.
  /// - Throws: A system error if the file cannot be renamed; the errors thrown by ``open(at:)``.
  package static func reset(
    at path: String, on date: Date = Date()
  ) throws -> (TrackerDatabase, String) {
    let (file, suffix) = (resolved(path), ".damaged-\(Int(date.timeIntervalSince1970))")
    for part in ["-wal", "-shm", ""] where FileManager.default.fileExists(atPath: file + part) {
      try FileManager.default.moveItem(atPath: file + part, toPath: file + suffix + part)
    }
    return (try open(at: path), file + suffix)
  }

  /// Migrates the tables, if necessary.
  ///
  /// - Throws: ``UnwritableDatabase``; ``DamagedDatabase``; other SQLite errors. Migrations
  ///   completed before the error are kept.
  package func migrate() throws {
    // Checked first, because a migration writes even if there is nothing to do.
    if try writer.read(trackerMigrator().hasCompletedMigrations) { return }
    try writing { try trackerMigrator().migrate(writer) }
  }

  /// Stores rows in a single transaction: if one of them cannot be stored, or the process ends,
  /// none are stored. A row replaces an existing row with the same identifier.
  ///
  /// - Parameters:
  ///   - rows: The rows in any order; if several have the same identifier, the last is stored.
  ///   - date: The current time, which is recorded.
  /// - Throws: ``UnwritableDatabase``; ``DamagedDatabase``; other SQLite errors;
  ///   `CancellationError` if the task is cancelled.
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

  /// Checks whether the search index matches the launches, and rebuilds it if necessary.
  ///
  /// - Returns: Whether the index was rebuilt.
  /// - Throws: ``UnwritableDatabase``; ``DamagedDatabase``; other SQLite errors.
  /// - Complexity: O(*n*), where *n* is the total length of all names and details.
  package func mendSearchIndex() throws -> Bool {
    // For SQLite, even checking an index is a write.
    try writing { try writer.write { try $0.mendSearchIndex() } }
  }

  /// Moves SQLite's log into the file, so that the file alone contains the whole database. The
  /// parts of the log that a reader still needs stay in the log.
  ///
  /// - Throws: ``UnwritableDatabase``; ``DamagedDatabase``; other SQLite errors.
  package func checkpoint() throws {
    try writing { _ = try writer.writeWithoutTransaction { try $0.checkpoint(.passive) } }
  }

  /// Returns the number of launches.
  ///
  /// - Throws: SQLite errors.
  package func launchCount() throws -> Int { try writer.read { try Launch.fetchCount($0) } }

  /// Closes the file once all reads and writes have ended. If possible, the rest of the log is
  /// first moved into the file.
  ///
  /// - Throws: SQLite errors.
  package func close() throws {
    // If that is not possible now, the next process that opens the file does it.
    if obstacle == nil {
      _ = try? writer.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    }
    try writer.close()
  }
}
