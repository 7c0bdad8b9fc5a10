import GRDB

/// Registers the migrations that make launches searchable, after the one that makes the table.
///
/// The index is kept up by triggers, so whoever writes launches, in whichever way, need not know of
/// it.
///
/// - Parameter migrator: Gets the migrations.
public func registerSearchMigration(in migrator: inout DatabaseMigrator) {
  migrator.registerMigration("search v1") { database in
    try database.execute(sql: FirstSearchSchema.tables)
    try database.execute(sql: FirstSearchSchema.triggers)
    try database.execute(sql: FirstSearchSchema.filling)
  }
  migrator.registerMigration("search v2, with years") { database in
    try database.execute(sql: SearchSchema.droppingFirst)
    try database.execute(sql: SearchSchema.tables)
    try database.execute(sql: SearchSchema.triggers)
    try database.execute(sql: SearchSchema.filling)
  }
}

/// Sees to it that the index has all launches and is whole, and makes it anew if not.
///
/// - Parameter writer: The database, migrated.
/// - Returns: Whether the index had to be made anew.
/// - Throws: What the database says.
/// - Complexity: O(text of all launches).
@discardableResult
public func mendSearchIndex(in writer: any DatabaseWriter) async throws -> Bool {
  try await writer.write { try $0.mendSearchIndex() }
}

extension Database {
  /// As ``mendSearchIndex(in:)`` does, for those who have the database to write to.
  func mendSearchIndex() throws -> Bool {
    if try SearchSchema.isWhole(in: self) { return false }
    try execute(sql: SearchSchema.emptying)
    try execute(sql: SearchSchema.filling)
    return true
  }
}
