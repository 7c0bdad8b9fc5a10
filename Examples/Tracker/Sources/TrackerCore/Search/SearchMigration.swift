import GRDB

/// Registers the migrations that make launches searchable. Call this function after registering the
/// migration that creates the `launch` table.
///
/// Triggers keep the index up to date, so code that writes launches does not have to update it.
///
/// - Parameter migrator: The migrator that gets the migrations.
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

/// Checks whether the index is intact and has all launches, and rebuilds it if necessary.
///
/// - Parameter writer: The migrated database.
/// - Returns: Whether the index was rebuilt.
/// - Throws: Database errors.
/// - Complexity: O(*n*), where *n* is the total length of all names and details.
@discardableResult
public func mendSearchIndex(in writer: any DatabaseWriter) async throws -> Bool {
  try await writer.write { try $0.mendSearchIndex() }
}

extension Database {
  /// Checks the index, and rebuilds it if necessary. Unlike ``mendSearchIndex(in:)``, this function
  /// must be called within a write.
  func mendSearchIndex() throws -> Bool {
    if try SearchSchema.isWhole(in: self) { return false }
    try execute(sql: SearchSchema.emptying)
    try execute(sql: SearchSchema.filling)
    return true
  }
}
