import GRDB

/// All migrations, in order. One that has been released is never changed: the next one is added.
func trackerMigrator() -> DatabaseMigrator {
  var migrator = DatabaseMigrator()
  migrator.registerMigration("v1") { database in
    try database.create(table: "launch") { table in
      table.primaryKey("id", .text)
      table.column("flightNumber", .integer).notNull()
      table.column("name", .text).notNull()
      table.column("details", .text)
      table.column("date", .integer).notNull()
      table.column("success", .boolean)
      table.column("upcoming", .boolean).notNull()
      table.column("rocket", .text)
    }
    try database.create(table: "core") { table in
      table.primaryKey("id", .text)
      table.column("serial", .text).notNull()
      table.column("status", .text).notNull()
      table.column("reuseCount", .integer).notNull()
    }
  }
  registerSearchMigration(in: &migrator)
  return migrator
}
