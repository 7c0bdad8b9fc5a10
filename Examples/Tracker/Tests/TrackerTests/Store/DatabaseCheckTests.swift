import Foundation
import Testing

@testable import TrackerCore

/// Tests for a database whose file is changed while it is open.
@Suite struct DatabaseCheckTests {
  let folder: Folder
  let database: TrackerDatabase
  var path: String { folder.file("tracker.sqlite") }

  init() throws {
    folder = try Folder()
    database = try TrackerDatabase.open(at: folder.file("tracker.sqlite"))
    try database.migrate()
    try database.save((1...500).map { DatabaseTests.launch("\($0)") })
    try database.checkpoint()
  }

  func overwrite(with bytes: Data) throws {
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: bytes)
    try file.close()
  }

  func expectLost(_ words: String) {
    let error = #expect(throws: LostDatabase.self) { try database.check() }
    let text = error?.description ?? ""
    #expect(text.hasPrefix("the database \(path) \(words)"), "\(text)")
  }

  @Test func whatIsWholeStaysSo() throws {
    try database.check()
    try database.save([DatabaseTests.launch("new")])
    try database.check()
    try database.close()
  }

  @Test(arguments: ["garbage", ""])
  func whatIsOverwrittenIsFoundAndReadAgainOnceItIsBack(_ text: String) throws {
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    try overwrite(with: Data(String(repeating: text, count: 10_000).utf8))
    expectLost(text.isEmpty ? "has become empty; put it back" : "is damaged: file is not a")

    try overwrite(with: whole)
    try database.check()
    database.readAgain()
    #expect(try database.launchCount() == 500)
    try database.save([DatabaseTests.launch("new")])
    try database.check()
    try database.close()
  }

  @Test func aPageThatIsOverwrittenIsFound() throws {
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.seek(toOffset: 8_192)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 20_480))
    try file.close()

    expectLost("is damaged: ")
    try database.close()
  }

  /// Checks that a removed file is detected. It can still be read and written, but everything
  /// stored in it would be lost when the process ends.
  @Test func aFileThatIsGoneIsMissed() throws {
    try FileManager.default.removeItem(atPath: path)
    #expect(try database.launchCount() == 500)

    expectLost("is gone; start again")
    try database.close()
  }

  @Test func aFileThatIsAnotherOneIsNotRead() throws {
    try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: path + ".copy", toPath: path)

    expectLost("has been replaced by another file; start again")
    try database.close()
  }

  /// Checks that a database on a full disk remains open, and can be written once there is room
  /// again. A restart would achieve no more than the next refresh.
  @Test(.enabled(if: SmallDisk.isPossible, Comment(rawValue: SmallDisk.whyNot)))
  func aDiskThatIsFullIsWrittenAgainOnceThereIsRoom() throws {
    let disk = try SmallDisk()
    let other = try TrackerDatabase.open(at: disk.file("tracker.sqlite"))
    try other.migrate()
    try disk.fill()
    let launches = (1...2_000).map { DatabaseTests.launch("\($0)") }

    let error = #expect(throws: UnwritableDatabase.self) { try other.save(launches) }

    #expect(error?.description.hasSuffix("; the next refresh tries it again") == true)
    try FileManager.default.removeItem(atPath: disk.file("filling"))
    try other.save(launches)
    #expect(try other.launchCount() == 2_000)
    try other.close()
    try database.close()
  }

  @Test func whenTheLaunchesWereStoredIsKept() throws {
    let date = Date(timeIntervalSince1970: 1_795_680_720)
    try database.save([DatabaseTests.launch("1")], on: date)
    try database.save([Core(id: "1", serial: "B1", status: "active", reuseCount: 0)])
    #expect(try database.launchesLeft() == date)
    try database.close()

    let again = try TrackerDatabase.open(at: path)
    try again.migrate()
    #expect(try again.launchesLeft() == date)
    try again.close()
  }

  @Test func whereNothingIsLeftThatIsSaid() throws {
    let empty = try TrackerDatabase.inMemory()
    try empty.migrate()

    #expect(throws: NothingToShow.self) { try empty.launchesLeft() }
    try empty.check()
    try empty.close()
    try database.close()
  }
}
