/// The first released version of the search index. It must not change, because other people's
/// databases have been migrated to it.
enum FirstSearchSchema {
  static let tables = """
    CREATE TABLE launchSearchKey (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
    CREATE INDEX launchByDate ON launch (date);
    CREATE VIRTUAL TABLE launchSearch USING fts5(
      name, details, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
    );
    """

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

  static let filling = """
    INSERT INTO launchSearchKey (id) SELECT id FROM launch ORDER BY date, id;
    INSERT INTO launchSearch (rowid, name, details)
      SELECT key, name, details FROM launch JOIN launchSearchKey USING (id);
    """
}
