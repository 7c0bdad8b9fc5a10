import GRDB

/// Registers the migration that makes launches searchable, after the one that makes the table.
///
/// The index is kept up by triggers, so whoever writes launches, in whichever way, need not know of
/// it.
///
/// - Parameter migrator: Gets the migration.
public func registerSearchMigration(in migrator: inout DatabaseMigrator) {
  migrator.registerMigration("search v1") { database in
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

/// The tables of the index.
///
/// The full text table keeps its own copy of the texts under keys of its own: the table of launches
/// has no integer key, so its row numbers may change whenever the database is compacted.
private enum SearchSchema {
  static let tables = """
    CREATE TABLE launchSearchKey (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
    CREATE INDEX launchByDate ON launch (date);
    \(textTable)
    """

  private static let textTable = """
    CREATE VIRTUAL TABLE launchSearch USING fts5(
      name, details, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
    );
    """

  // No statement here can meet a conflict: what the outer statement says of conflicts, such as
  // `INSERT OR REPLACE`, would override what is said here.
  static let triggers = """
    CREATE TRIGGER launchSearchInsert AFTER INSERT ON launch BEGIN
      INSERT INTO launchSearchKey (id)
        SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM launchSearchKey WHERE id = new.id);
      DELETE FROM launchSearch
        WHERE rowid = (SELECT key FROM launchSearchKey WHERE id = new.id);
      INSERT INTO launchSearch (rowid, name, details)
        SELECT key, new.name, new.details FROM launchSearchKey WHERE id = new.id;
    END;
    CREATE TRIGGER launchSearchDelete AFTER DELETE ON launch BEGIN
      DELETE FROM launchSearch
        WHERE rowid = (SELECT key FROM launchSearchKey WHERE id = old.id);
      DELETE FROM launchSearchKey WHERE id = old.id;
    END;
    CREATE TRIGGER launchSearchUpdate AFTER UPDATE OF id, name, details ON launch
    WHEN new.id <> old.id OR new.name <> old.name OR new.details IS NOT old.details BEGIN
      DELETE FROM launchSearch WHERE new.id <> old.id
        AND rowid = (SELECT key FROM launchSearchKey WHERE id = new.id);
      DELETE FROM launchSearchKey WHERE new.id <> old.id AND id = new.id;
      UPDATE launchSearchKey SET id = new.id WHERE id = old.id;
      DELETE FROM launchSearch
        WHERE rowid = (SELECT key FROM launchSearchKey WHERE id = new.id);
      INSERT INTO launchSearch (rowid, name, details)
        SELECT key, new.name, new.details FROM launchSearchKey WHERE id = new.id;
    END;
    """

  static let emptying = """
    DELETE FROM launchSearchKey;
    DROP TABLE launchSearch;
    \(textTable)
    """

  static let filling = """
    INSERT INTO launchSearchKey (id) SELECT id FROM launch ORDER BY date, id;
    INSERT INTO launchSearch (rowid, name, details)
      SELECT key, name, details FROM launch JOIN launchSearchKey USING (id);
    """

  private static let checking =
    "INSERT INTO launchSearch (launchSearch) VALUES ('integrity-check')"

  static func isWhole(in database: Database) throws -> Bool {
    do {
      try database.execute(sql: checking)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return false
    }
    // Of the same launches, and in their present words.
    return try Bool.fetchOne(
      database,
      sql: """
        SELECT NOT EXISTS (
          SELECT id, name, details FROM launch
          EXCEPT
          SELECT id, name, details FROM launchSearchKey
            JOIN launchSearch ON launchSearch.rowid = launchSearchKey.key
        ) AND (SELECT count(*) FROM launch) = (SELECT count(*) FROM launchSearch)
        AND (SELECT count(*) FROM launch) = (SELECT count(*) FROM launchSearchKey)
        """) ?? false
  }
}
