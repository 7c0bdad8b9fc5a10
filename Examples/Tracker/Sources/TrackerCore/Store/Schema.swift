import GRDB

/// The names of the tables that hold the feed's data and the times at which it was stored. If one
/// of these tables is missing after all migrations, the database is damaged.
let trackerTables = ["launch", "core", "launchCore", StoredTime.databaseTableName]

/// Returns all migrations, in order. A released migration is never changed; every change to the
/// tables requires a new migration.
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
  migrator.registerMigration("v2") { database in
    try database.alter(table: "launch") { table in
      table.add(column: "datePrecision", .text)
      table.add(column: "failures", .text).notNull().defaults(to: "[]")
      table.add(column: "links", .text).notNull().defaults(to: "{}")
    }
    // A core may be stored after its launches, or never.
    try database.create(table: "launchCore") { table in
      table.column("launch", .text).notNull().references("launch", onDelete: .cascade)
      table.column("position", .integer).notNull()
      table.column("core", .text)
      table.column("flight", .integer)
      table.column("reused", .boolean)
      table.column("landingAttempt", .boolean)
      table.column("landingSuccess", .boolean)
      table.column("landingType", .text)
      table.primaryKey(["launch", "position"])
    }
    try database.create(indexOn: "launchCore", columns: ["core"])
  }
  StoredTime.registerMigration(in: &migrator)
  return migrator
}
