import Foundation
import GRDB

/// When the rows of a table were stored last: a row of `storedTime`, written in the transaction
/// that stores them.
struct StoredTime: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "storedTime"

  /// The table.
  let name: String

  /// When, in seconds since 1970, UTC.
  let date: Int64

  static func registerMigration(in migrator: inout DatabaseMigrator) {
    migrator.registerMigration("stored time v1") { database in
      try database.create(table: databaseTableName) { table in
        table.primaryKey("name", .text)
        table.column("date", .integer).notNull()
      }
    }
  }
}

extension TrackerDatabase {
  /// When the launches that are there were stored last, whichever program did that.
  ///
  /// - Returns: `nil` if that was before this was noted.
  /// - Throws: ``NothingToShow`` if there are none, ``DamagedDatabase``, and what SQLite says.
  package func launchesLeft() throws -> Date? {
    try Self.findingDamage(in: path) {
      if try launchCount() == 0 { throw NothingToShow() }
      let time = try reader.read { try StoredTime.fetchOne($0, key: Launch.databaseTableName) }
      return time.map { Date(timeIntervalSince1970: TimeInterval($0.date)) }
    }
  }
}
