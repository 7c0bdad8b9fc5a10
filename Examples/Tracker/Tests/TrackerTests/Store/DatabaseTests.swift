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

  @Test func coresOfALaunchTakeThePlaceOfThoseBefore() throws {
    let database = try TrackerDatabase.open(at: path)
    try database.migrate()
    var fed = FedLaunch(launch: Self.launch("1"))
    fed.cores = [0, 1, 2].map { LaunchCore(launch: "1", position: $0, core: "nobody knows") }
    try database.save([fed, FedLaunch(launch: Self.launch("2"))])

    fed.cores = [LaunchCore(launch: "1", position: 0, core: "c", flight: 2)]
    try database.save([fed])

    #expect(try database.reader.read { try LaunchCore.fetchAll($0) } == fed.cores)
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

  @Test(arguments: ["core", "launchCore", "storedTime"])
  func aTableThatIsMissingIsFound(table: String) throws {
    let database = try TrackerDatabase.open(at: path)
    try database.migrate()
    let writer = try #require(database.reader as? any DatabaseWriter)
    try writer.write { try $0.drop(table: table) }
    try database.close()

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

  @Test func aFileThatCannotBeWrittenIsRead() throws {
    let first = try TrackerDatabase.open(at: path)
    try first.migrate()
    try first.save([Self.launch("1")])
    try first.close()
    try folder.obstruct("tracker.sqlite")

    let second = try TrackerDatabase.open(at: path)
    try second.migrate()

    #expect(try second.launchCount() == 1)
    let error = #expect(throws: UnwritableDatabase.self) { try second.save([Self.launch("2")]) }
    #expect(error?.description.hasPrefix("the database \(path) can be read but not w") == true)
    #expect(throws: UnwritableDatabase.self) { try second.mendSearchIndex() }
    try second.close()
  }

  /// Checks a file whose shared-memory index already exists but cannot be written, which SQLite
  /// detects only later.
  @Test func aFileThatTurnsOutToBeUnwritableIsRead() throws {
    let first = try TrackerDatabase.open(at: path)
    try first.migrate()
    try first.save([Self.launch("1")])
    try first.close()
    for part in ["-shm", "-wal"] { try? FileManager.default.removeItem(atPath: path + part) }
    try FileManager.default.createDirectory(
      atPath: path + "-shm", withIntermediateDirectories: false)

    let second = try TrackerDatabase.open(at: path)
    try second.migrate()

    #expect(try second.launchCount() == 1)
    #expect(throws: UnwritableDatabase.self) { try second.save([Self.launch("2")]) }
    #expect(throws: UnwritableDatabase.self) { try second.mendSearchIndex() }
    try second.close()
  }

  @Test func tablesThatAreMissingCannotBeMadeWhereNothingIsWritten() throws {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    try folder.obstruct("tracker.sqlite")

    let database = try TrackerDatabase.open(at: path)

    #expect(throws: UnwritableDatabase.self) { try database.migrate() }
    try database.close()
  }

  /// Checks that an unreadable log is an error, because without the log, the file has an earlier or
  /// inconsistent state.
  @Test func aLogThatCannotBeReadIsNotPassedOver() throws {
    let database = try TrackerDatabase.open(at: path)
    try database.migrate()
    let copy = folder.file("copy.sqlite")
    for part in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + part, toPath: copy + part)
    }
    try folder.obstructIndex(of: "copy.sqlite")

    #expect(throws: UnopenedDatabase.self) { try TrackerDatabase.open(at: copy) }
    try database.close()
  }

  @Test func ofADamagedFileBehindALinkItIsTheFileThatIsMoved() throws {
    let file = folder.file("elsewhere.sqlite")
    try Data("garbage, garbage, garbage".utf8).write(to: URL(fileURLWithPath: file))
    // From one link to the next, and relative.
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.file("link.sqlite"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link.sqlite"), withDestinationPath: "elsewhere.sqlite")

    let (database, place) = try TrackerDatabase.reset(
      at: path, on: Date(timeIntervalSince1970: 1_000))
    try database.migrate()
    try database.close()

    #expect(place.hasSuffix("/elsewhere.sqlite.damaged-1000"))
    #expect(try String(contentsOfFile: place, encoding: .utf8) == "garbage, garbage, garbage")
    let files = try folder.contents.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    #expect(
      files == [
        "elsewhere.sqlite", "elsewhere.sqlite.damaged-1000", "link.sqlite", "tracker.sqlite",
      ])
    let kind = try FileManager.default.attributesOfItem(atPath: path)[.type]
    #expect(kind as? FileAttributeType == .typeSymbolicLink)
    try TrackerDatabase.open(at: file).close()
  }

  /// Checks that a missing folder, or a folder instead of the file, is not reported as damage.
  @Test(arguments: ["none/tracker.sqlite", ""])
  func aFileThatCannotBeOpenedIsNotDamaged(name: String) throws {
    let path = folder.file(name)

    let error = #expect(throws: UnopenedDatabase.self) { try TrackerDatabase.open(at: path) }

    #expect(error?.description.contains("the database \(path) cannot be opened: ") == true)
  }
}
