import GRDB

/// The tables of the search index.
///
/// The full-text table has its own copy of the indexed text, under its own keys. The row numbers of
/// launches cannot serve as keys. The `launch` table has no integer key, so its row numbers may
/// change when the database is compacted. The year is taken from the date in UTC; dates outside the
/// calendar have no year.
enum SearchSchema {
  static let droppingFirst = """
    DROP TRIGGER launchSearchInsert;
    DROP TRIGGER launchSearchDelete;
    DROP TRIGGER launchSearchUpdate;
    DROP TABLE launchSearch;
    DELETE FROM launchSearchKey;
    """

  static let tables = """
    CREATE VIRTUAL TABLE launchSearch USING fts5(
      name, details, year, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
    );
    """

  // No statement here may cause a conflict: the conflict clause of the outer statement, such as
  // `INSERT OR REPLACE`, would override the one here.
  static let triggers = """
    CREATE TRIGGER launchSearchInsert AFTER INSERT ON launch BEGIN
      INSERT INTO launchSearchKey (id)
        SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM launchSearchKey WHERE id = new.id);
      DELETE FROM launchSearch
        WHERE rowid = (SELECT key FROM launchSearchKey WHERE id = new.id);
      \(indexing)
    END;
    CREATE TRIGGER launchSearchDelete AFTER DELETE ON launch BEGIN
      DELETE FROM launchSearch
        WHERE rowid = (SELECT key FROM launchSearchKey WHERE id = old.id);
      DELETE FROM launchSearchKey WHERE id = old.id;
    END;
    CREATE TRIGGER launchSearchUpdate AFTER UPDATE OF id, name, details, date ON launch
    WHEN new.id <> old.id OR new.name <> old.name OR new.details IS NOT old.details
      OR new.date <> old.date
    BEGIN
      DELETE FROM launchSearch WHERE new.id <> old.id
        AND rowid = (SELECT key FROM launchSearchKey WHERE id = new.id);
      DELETE FROM launchSearchKey WHERE new.id <> old.id AND id = new.id;
      UPDATE launchSearchKey SET id = new.id WHERE id = old.id;
      DELETE FROM launchSearch
        WHERE rowid = (SELECT key FROM launchSearchKey WHERE id = new.id);
      \(indexing)
    END;
    """

  private static let indexing = """
    INSERT INTO launchSearch (rowid, name, details, year)
      SELECT key, new.name, new.details, \(year(of: "new"))
      FROM launchSearchKey WHERE id = new.id;
    """

  private static func year(of row: String) -> String {
    "strftime('%Y', \(row).date, 'unixepoch')"
  }

  static let emptying = """
    DELETE FROM launchSearchKey;
    DROP TABLE launchSearch;
    \(tables)
    """

  static let filling = """
    INSERT INTO launchSearchKey (id) SELECT id FROM launch ORDER BY date, id;
    INSERT INTO launchSearch (rowid, name, details, year)
      SELECT key, name, details, \(year(of: "launch"))
      FROM launch JOIN launchSearchKey USING (id);
    """

  private static let checking =
    "INSERT INTO launchSearch (launchSearch) VALUES ('integrity-check')"

  static func isWhole(in database: Database) throws -> Bool {
    do {
      try database.execute(sql: checking)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return false
    }
    // The index must have the same launches, with their current texts.
    return try Bool.fetchOne(
      database,
      sql: """
        SELECT NOT EXISTS (
          SELECT id, name, details, \(year(of: "launch")) FROM launch
          EXCEPT
          SELECT id, name, details, year FROM launchSearchKey
            JOIN launchSearch ON launchSearch.rowid = launchSearchKey.key
        ) AND (SELECT count(*) FROM launch) = (SELECT count(*) FROM launchSearch)
        AND (SELECT count(*) FROM launch) = (SELECT count(*) FROM launchSearchKey)
        """) ?? false
  }
}
