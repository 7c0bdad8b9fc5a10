import Foundation
import GRDB

/// The time at which the rows of a table were last stored. It is a row of `storedTime`, written in
/// the same transaction as those rows.
struct StoredTime: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "storedTime"

  /// The name of the table.
  let name: String

  /// The time, in Unix seconds.
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
  /// Returns the time at which this or another program last stored launches.
  ///
  /// - Returns: The time; `nil` if it was not recorded.
  /// - Throws: ``NothingToShow`` if there are no launches; ``DamagedDatabase``; other SQLite
  ///   errors.
  package func launchesLeft() throws -> Date? {
    try Self.findingDamage(in: path) {
      if try launchCount() == 0 { throw NothingToShow() }
      let time = try reader.read { try StoredTime.fetchOne($0, key: Launch.databaseTableName) }
      return time.map { Date(timeIntervalSince1970: TimeInterval($0.date)) }
    }
  }
}
