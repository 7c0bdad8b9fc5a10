import GRDB
import Testing

@testable import TrackerCore

/// Tests that the index stays consistent with the launches, regardless of how they are written.
@Suite struct SearchIndexTests {
  @Test func aChangeIsFoundAndWhatWasThereIsNot() async throws {
    let database = try SearchDatabase([.named("Alpha", "one", id: "a")])

    try database.save([.named("Beta", "two", id: "a")])

    #expect(try await database.names("alpha").isEmpty)
    #expect(try await database.names("one").isEmpty)
    #expect(try await database.names("beta two") == ["Beta"])
    #expect(try await !mendSearchIndex(in: database.pool))
  }

  @Test(arguments: [
    "UPDATE launch SET name = 'Beta', details = NULL WHERE id = 'a'",
    "UPDATE launch SET id = 'b', name = 'Beta' WHERE id = 'a'",
    """
    INSERT OR REPLACE INTO launch (id, flightNumber, name, date, upcoming)
    VALUES ('a', 1, 'Beta', 0, false)
    """,
    """
    INSERT INTO launch (id, flightNumber, name, date, upcoming) VALUES ('a', 1, 'Beta', 0, false)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name
    """,
    "UPDATE OR REPLACE launch SET id = 'a', name = 'Beta' WHERE id = 'other'",
  ])
  func everyWayToWriteIsFollowed(sql: String) async throws {
    let database = try SearchDatabase([
      .named("Alpha", "one", id: "a"), .named("Gamma", id: "other"),
    ])

    try database.execute(sql)

    #expect(try await database.names("alpha").isEmpty)
    #expect(try await database.names("beta") == ["Beta"])
    #expect(try await database.names("").sorted().contains("Beta"))
    #expect(try await !mendSearchIndex(in: database.pool))
  }

  @Test func whatIsDeletedIsNotFound() async throws {
    let database = try SearchDatabase([.named("Alpha"), .named("Alpha Two")])

    try database.execute("DELETE FROM launch WHERE name = 'Alpha'")

    #expect(try await database.names("alpha") == ["Alpha Two"])
    #expect(try await !mendSearchIndex(in: database.pool))
  }

  @Test func compactingTheDatabaseChangesNothing() async throws {
    let database = try SearchDatabase((1...50).map { .named("Alpha \($0)", day: $0) })
    try database.execute("DELETE FROM launch WHERE flightNumber % 2 = 0")
    let before = try await database.names("alpha")

    try await database.pool.vacuum()

    #expect(try await database.names("alpha") == before)
    #expect(before.count == 25)
    #expect(try await !mendSearchIndex(in: database.pool))
  }

  @Test func anotherDateIsOfAnotherYear() async throws {
    let database = try SearchDatabase([.named("Alpha", day: 1, id: "a")])

    try database.execute("UPDATE launch SET date = unixepoch('2021-04-23')")

    #expect(try await database.names("1970").isEmpty)
    #expect(try await database.names("2021") == ["Alpha"])
    #expect(try await !mendSearchIndex(in: database.pool))
  }

  @Test func launchesFromBeforeTheIndexAreInIt() async throws {
    let queue = try DatabaseQueue()
    try trackerMigrator().migrate(queue, upTo: "v1")
    try await queue.write { database in
      try database.execute(
        sql: "INSERT INTO launch VALUES ('a', 1, 'Old One', NULL, 0, true, false, NULL)")
    }
    try trackerMigrator().migrate(queue)
    try trackerMigrator().migrate(queue)

    let page = try await LaunchSearch(reader: queue).page(of: "old")
    #expect(page.launches.map(\.name) == ["Old One"])
  }

  @Test func theFirstIndexIsReplaced() async throws {
    let queue = try DatabaseQueue()
    try trackerMigrator().migrate(queue, upTo: "search v1")
    try await queue.write { database in
      try database.execute(
        sql: "INSERT INTO launch VALUES ('a', 1, 'Old One', NULL, 0, true, false, NULL)")
    }
    try trackerMigrator().migrate(queue)

    let page = try await LaunchSearch(reader: queue).page(of: "old 1970")
    #expect(page.launches.map(\.name) == ["Old One"])
    #expect(try await !mendSearchIndex(in: queue))
  }

  @Test(arguments: [
    "DELETE FROM launchSearchKey", "DELETE FROM launchSearch WHERE rowid = 1",
    "UPDATE launchSearch SET name = 'Wrong' WHERE rowid = 1",
    "UPDATE launchSearch SET year = '1971' WHERE rowid = 1",
    "INSERT INTO launchSearch (rowid, name) VALUES (99, 'Nobody')",
    "DELETE FROM launchSearch_data WHERE id > 10",
  ])
  func anIndexThatIsNotWholeIsMadeAnew(damage: String) async throws {
    let database = try SearchDatabase([.named("Alpha", day: 1), .named("Beta", day: 2)])
    try await database.pool.barrierWriteWithoutTransaction { database in
      // The full text index protects its own tables against exactly this.
      try? database.execute(sql: "PRAGMA writable_schema = ON")
      try database.execute(sql: damage)
    }

    #expect(try await mendSearchIndex(in: database.pool))
    #expect(try await !mendSearchIndex(in: database.pool))
    #expect(try await database.names("alpha") == ["Alpha"])
    #expect(try await database.names("") == ["Beta", "Alpha"])
    #expect(try await database.names("wrong").isEmpty)
  }
}
