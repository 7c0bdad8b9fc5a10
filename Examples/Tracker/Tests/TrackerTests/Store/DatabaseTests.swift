import Foundation
import GRDB
import Testing

@testable import TrackerCore

@Suite struct DatabaseTests {
  let folder: Folder
  var path: String { folder.file("tracker.sqlite") }

  init() throws {
    folder = try Folder()
  }

  static func launch(_ id: String, name: String = "DemoSat") -> Launch {
    Launch(
      id: id, flightNumber: 2, name: name, details: nil, date: 1_174_439_400, success: false,
      upcoming: false, rocket: nil)
  }

  @Test func aRowThatIsThereByItsIdentifierIsReplaced() throws {
    let database = try TrackerDatabase.open(at: path)
    try database.migrate()

    try database.save([Self.launch("1"), Self.launch("2")])
    try database.save([Self.launch("2", name: "Trailblazer"), Self.launch("3")])

    let names = try database.reader.read { try Launch.order(Column("id")).fetchAll($0) }.map(\.name)
    #expect(names == ["DemoSat", "Trailblazer", "DemoSat"])
    try database.close()
  }

  @Test func whatIsStoredIsStillThereTheNextTime() throws {
    let first = try TrackerDatabase.open(at: path)
    try first.migrate()
    try first.save([Self.launch("1")])
    try first.close()

    let second = try TrackerDatabase.open(at: path)
    try second.migrate()

    #expect(try second.launchCount() == 1)
    try second.close()
  }

  @Test func ofRowsThatCannotAllBeStoredNoneIs() throws {
    let database = try TrackerDatabase.open(at: path)
    try database.migrate()
    try database.reader.read { _ in }

    struct Broken: PersistableRecord, Encodable {
      static let databaseTableName = "launch"
      let id: String
    }
    #expect(throws: DatabaseError.self) { try database.save([Broken(id: "1")]) }
    #expect(try database.launchCount() == 0)
    try database.close()
  }

  @Test(arguments: ["not a database at all, but long enough to be looked at", ""])
  func aFileThatIsNoDatabaseIsDamaged(_ text: String) throws {
    let bytes = Data(String(repeating: text, count: 100).utf8)
    try bytes.write(to: URL(fileURLWithPath: path))

    if text.isEmpty {
      // An empty file is a database without tables.
      try TrackerDatabase.open(at: path).close()
    } else {
      #expect(throws: DamagedDatabase.self) { try TrackerDatabase.open(at: path) }
    }
  }

  @Test func aPageThatIsOverwrittenIsFound() throws {
    let database = try TrackerDatabase.open(at: path)
    try database.migrate()
    try database.save((1...2_000).map { Self.launch("\($0)") })
    try database.close()

    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.seek(toOffset: 8_192)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 40_960))
    try file.close()

    #expect(throws: DamagedDatabase.self) { try TrackerDatabase.open(at: path) }
  }

  @Test func theSearchIndexIsMendedWhereItIsNotThatOfTheLaunches() throws {
    let database = try TrackerDatabase.inMemory()
    try database.migrate()
    try database.save([Self.launch("1")])
    #expect(try !database.mendSearchIndex())

    let writer = try #require(database.reader as? any DatabaseWriter)
    try writer.write { try $0.execute(sql: "DELETE FROM launchSearchKey") }
    #expect(try database.mendSearchIndex())
    #expect(try !database.mendSearchIndex())
    try database.close()
  }

  @Test func aDamagedFileIsMovedAwayAndNotDeleted() throws {
    try Data("garbage, garbage, garbage".utf8).write(to: URL(fileURLWithPath: path))

    let (database, place) = try TrackerDatabase.reset(
      at: path, on: Date(timeIntervalSince1970: 1_000))
    try database.migrate()
    try database.close()

    #expect(place == path + ".damaged-1000")
    #expect(try String(contentsOfFile: place, encoding: .utf8) == "garbage, garbage, garbage")
  }

  /// Neither a folder that is not there, nor one in the place of the file.
  @Test(arguments: ["none/tracker.sqlite", ""])
  func aFileThatCannotBeOpenedIsNotDamaged(name: String) throws {
    let path = folder.file(name)

    let error = #expect(throws: UnopenedDatabase.self) { try TrackerDatabase.open(at: path) }

    #expect(error?.description.contains("the database \(path) cannot be opened: ") == true)
  }
}
