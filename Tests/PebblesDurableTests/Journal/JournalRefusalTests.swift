import Foundation
import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesDurable

/// Tests of files that are rejected as journals. No body is called, and the files are not changed.
@Suite(.watched) struct JournalRefusalTests {
  @Test func aFolderIsNoFile() async throws {
    let folder = try TemporaryFolder()

    let error = try await Self.refusal(of: folder.path)

    #expect(error.kind == .inaccessible)
    #expect(
      "\(error)" == "the journal \(folder.path) cannot be opened: Is a directory")
  }

  @Test func aSymbolicLinkToNowhereIsNotFollowed() async throws {
    let folder = try TemporaryFolder()
    let link = folder.file("link")
    #expect(symlink(folder.file("nowhere"), link) == 0)

    let error = try await Self.refusal(of: link)

    #expect(error.kind == .inaccessible)
    #expect("\(error)".contains("is a symbolic link to a file that does not exist"))
    #expect(try folder.names == ["link"])
  }

  @Test func aSymbolicLinkToAFileIsThatFile() async throws {
    let file = try JournalFile()
    let link = file.folder.file("link")
    try file.write([])
    #expect(symlink(file.path, link) == 0)

    for _ in 0..<2 { _ = try await SmallPond().pond.run(journal: Journal(at: link)) }

    #expect(try file.folder.names == ["journal", "journal.1", "link"])
    #expect(try file.text.isOver)
  }

  @Test func aPipeIsNoFile() async throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.file("pipe"), 0o644) == 0)

    let error = try await Self.refusal(of: folder.file("pipe"))

    #expect("\(error)".hasSuffix("is not a regular file"))
  }

  @Test func aDeviceIsNoFile() async throws {
    let error = try await Self.refusal(of: "/dev/zero")

    #expect("\(error)" == "the journal /dev/zero is not a regular file")
  }

  @Test(arguments: ["", "a\0b", "/", "/tmp/", "no/such/folder/journal"])
  func aPathMustBeThatOfAFileThatCanBeThere(path: String) async throws {
    let error = try await Self.refusal(of: path)

    #expect(error.kind == .inaccessible)
  }

  /// Checks that a bare name is a file in the current folder. The test uses a separate process,
  /// because all tests in this process share one current folder.
  @Test func aNameAloneIsAFileInTheFolderOfTheProcess() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      #expect(chdir(folder.path) == 0)

      _ = try await SmallPond().pond.run(journal: Journal(at: "journal"))

      #expect(try folder.names == ["journal"])
      #expect(try JournalText(at: folder.file("journal")).isOver)
    }
  }

  @Test(.enabled(if: access("/proc/version", R_OK) == 0, "there is no /proc"))
  func aFileThatCannotBeWrittenCallsNothing() async throws {
    let small = SmallPond()

    let run = try? await small.pond.run(journal: Journal(at: "/proc/version"))

    #expect(run?.cancellation?.journalProblem != nil || run == nil)
    #expect(small.calls.entries == [])
  }

  /// Checks that a read-only file is rejected. Permissions do not apply to the superuser, so the
  /// probe gives up that role if this process has it.
  @Test func aFileThatMayOnlyBeReadIsRefused() async throws {
    let file = try JournalFile(try await SmallPond.journal())
    let bytes = try file.bytes
    #expect(chmod(file.path, 0o444) == 0)

    let told = try await onOwnThread {
      try ProgramRun(
        of: ProgramRun.executable("journal-probe"),
        ["1", file.path, "-", "-"]
          + (getuid() == 0 ? ["--nobody"] : []))
    }

    #expect(told.status == 3)
    #expect(
      told.output
        == "inaccessible: the journal \(file.path) cannot be opened: Permission denied\n")
    #expect(try file.bytes == bytes)
  }

  // MARK: Files that hold something else

  @Test(arguments: [
    "some notes\n", "pond-journals are nice\n", "\n", "\0\0\0", "pond-journal 0 \n",
  ])
  func anotherKindOfFileIsLeftAlone(text: String) async throws {
    let file = try JournalFile(text.utf8)

    let error = try await Self.refusal(of: file.path)

    #expect(error.kind == .notAJournal)
    #expect(try file.bytes == Array(text.utf8))
  }

  @Test(arguments: [Journal.OtherRun.fail, .startAnew])
  func aNewerVersionIsLeftAlone(otherRun: Journal.OtherRun) async throws {
    let bytes = try await SmallPond.journal()
    let text = String(decoding: bytes, as: UTF8.self)
    let newer = text.replacing("pond-journal 1 ", with: "pond-journal 2 ", maxReplacements: 1)
    let file = try JournalFile(newer.utf8)

    let error = try await Self.refusal(of: file.path, ifOther: otherRun)

    #expect(error.kind == .newerVersion)
    #expect("\(error)".contains("has version 2, but the newest known here is 1"))
    #expect(try file.bytes == Array(newer.utf8))
  }

  @Test func anUnfinishedRunOfAnotherLogicIsLeftAlone() async throws {
    let file = try JournalFile(try await SmallPond.journal())
    let bytes = try file.bytes

    let renamed = try await Self.refusal(of: file.path, by: SmallPond("other"))
    let larger = try await Self.refusal(of: file.path, by: SmallPond(more: true))

    #expect(renamed.kind == .otherLogic && larger.kind == .otherLogic)
    #expect("\(renamed)".contains(#"it is of the pond "small", and this is "other""#))
    #expect("\(larger)".contains(#""more" is new"#))
    #expect(try file.bytes == bytes)
  }

  @Test func anUnfinishedRunOfAnotherLogicIsSetAsideOnRequest() async throws {
    let file = try JournalFile(try await SmallPond.journal())
    let bytes = try file.bytes
    let other = SmallPond("other")

    let report = try await other.pond.run(journal: Journal(at: file.path, ifOther: .startAnew))

    #expect(report[other.sum] == 4)
    #expect(try Array(file.folder.text(of: "journal.1").utf8) == bytes)
  }

  @Test func anOutputThatWasMadeAgainIsReadAsWell() async throws {
    let pond = Pond("again")
    pond.pebble("opens") { 1 }
    var journal = WrittenJournal(of: pond)
    journal.tell(.ended(.init(pebble: "opens", started: 0, finished: 1, error: nil)), "3")
    journal.tell(.up("opens", missing: nil, at: 2), "\"three\"")
    let file = try JournalFile(journal.bytes)

    let error = await #expect(throws: JournalError.self) {
      _ = try await pond.run(journal: Journal(at: file.path))
    }

    #expect(error?.kind == .otherOutput)
  }

  /// Checks that a journal is rejected if the pebble had no output, or an output of another type,
  /// when the run began.
  @Test(arguments: [nil, "3"] as [String?])
  func anOutputThatIsNotThereOrCannotBeReadIsRefused(payload: String?) async throws {
    let pond = Pond("changed")
    if payload == nil {
      pond.pebble("opens") { 1 }
    } else {
      pond.pebble("opens") { NightlyPond.Handle() }
    }
    var journal = WrittenJournal(of: pond)
    journal.tell(.ended(.init(pebble: "opens", started: 0, finished: 1, error: nil)), payload)
    let file = try JournalFile(journal.bytes)

    let error = await #expect(throws: JournalError.self) {
      _ = try await pond.run(journal: Journal(at: file.path))
    }

    let clause =
      payload == nil
      ? "has no output of opens, which now has the output type Int; finish"
      : "which now has the output type Handle; that is not Decodable; finish"
    #expect(error?.kind == .otherOutput)
    #expect(error?.description.contains(clause) == true, "\(error?.description ?? "")")
    #expect(try file.bytes == journal.bytes)
  }

  /// Checks that an output that is not in Base64 is rejected. The coder differs from that of the
  /// original run, and would accept even an output of zero bytes.
  @Test func anOutputThatIsNotInBase64IsRefused() async throws {
    struct ByteCounts: OutputCoder {
      func encode(_ output: some Encodable) throws -> [UInt8] { [] }

      func decode<Output: Decodable>(_ type: Output.Type, from bytes: [UInt8]) throws -> Output {
        try JSONOutputs().decode(type, from: Array("\(bytes.count)".utf8))
      }
    }
    let file = try JournalFile(try await SmallPond.journal())
    let (bytes, small) = (try file.bytes, SmallPond())

    let error = await #expect(throws: JournalError.self) {
      _ = try await small.pond.run(journal: Journal(at: file.path, coder: ByteCounts()))
    }

    #expect(error?.kind == .otherOutput)
    #expect(error?.description.contains("as Int: it is not in Base64; finish its run") == true)
    #expect(small.calls.entries == [])
    #expect(try file.bytes == bytes)
  }

  @Test func ofALongErrorOfADecoderTheBeginningIsSaid() async throws {
    struct Fussy: Codable, Sendable {
      init() {}
      init(from decoder: any Decoder) throws {
        throw Breakdown(String(repeating: "#", count: 600))
      }
    }
    let pond = Pond("fussy")
    pond.pebble("opens") { Fussy() }
    var journal = WrittenJournal(of: pond)
    journal.tell(.ended(.init(pebble: "opens", started: 0, finished: 1, error: nil)), "{}")
    let file = try JournalFile(journal.bytes)

    let error = await #expect(throws: JournalError.self) {
      _ = try await pond.run(journal: Journal(at: file.path))
    }

    let said = "\(Breakdown(String(repeating: "#", count: 600)))".prefix(499).count { $0 == "#" }
    #expect(error?.description.count { $0 == "#" } == said)
  }

  @Test func aSentenceOfADecoderIsPartOfASentence() async throws {
    struct Fussy: Codable, Sendable {
      init() {}
      init(from decoder: any Decoder) throws { throw Breakdown("It is too old.") }
    }
    let pond = Pond("fussy")
    pond.pebble("opens") { Fussy() }
    var journal = WrittenJournal(of: pond)
    journal.tell(.ended(.init(pebble: "opens", started: 0, finished: 1, error: nil)), "{}")
    let file = try JournalFile(journal.bytes)

    let error = await #expect(throws: JournalError.self) {
      _ = try await pond.run(journal: Journal(at: file.path))
    }

    #expect(error?.description.contains("as Fussy: It is too old; finish its run") == true)
  }

  @Test func anOutputOfAnotherTypeIsRefusedOrSetAside() async throws {
    let file = try JournalFile(try await SmallPond.journal())
    let bytes = try file.bytes
    let pond = Pond("small")
    let opens = pond.pebble("opens", teardown: { (_: String) in }) { "three" }
    pond.pebble("sum", needs: opens) { _ in "four" }

    let error = await #expect(throws: JournalError.self) {
      _ = try await pond.run(journal: Journal(at: file.path))
    }
    #expect(error?.kind == .otherOutput)
    #expect("\(error.map { "\($0)" } ?? "")".contains("has an output of opens"))
    #expect(try file.bytes == bytes)
    _ = try await pond.run(journal: Journal(at: file.path, ifOther: .startAnew))
    #expect(try Array(file.folder.text(of: "journal.1").utf8) == bytes)
  }

  @Test func aRunThatHasEndedIsSetAsideWhateverItsPondWas() async throws {
    let file = try JournalFile(try await SmallPond.journal(whole: true))
    let bytes = try file.bytes
    let other = SmallPond("other", more: true)

    let report = try await other.pond.run(journal: Journal(at: file.path))

    #expect(report.outcomeWords == ["opens succeeded", "sum succeeded", "more succeeded"])
    #expect(try Array(file.folder.text(of: "journal.1").utf8) == bytes)
  }

  @Test func aFaultyPondDoesNotTouchTheFile() async throws {
    let file = try JournalFile()
    let pond = Pond("twice")
    pond.pebble("one") {}
    pond.pebble("one") {}

    await #expect(throws: PondError.self) {
      _ = try await pond.run(journal: Journal(at: file.path))
    }

    #expect(try file.folder.names == [])
  }

  // MARK: The file that takes the place of another

  @Test func aFileThatCannotTakeItsPlaceIsRemoved() throws {
    let folder = try TemporaryFolder()
    let file = try SystemFile(folder.file("journal"))
    unlink(file.path)
    mkdir(file.path, 0o755)

    #expect(throws: SystemFile.Failure.self) { _ = try file.replaced(by: [1], syncs: false) }

    #expect(try folder.names == ["journal"])
  }

  @Test func whatAProcessHasLeftOfSuchAFileIsNoPartOfTheNext() async throws {
    let (file, small) = (try JournalFile(), SmallPond())
    try file.folder.write(String(repeating: "old\n", count: 10_000), to: "journal.new")

    let report = try await small.pond.run(journal: Journal(at: file.path))

    #expect(report.cancellation == nil && report[small.sum] == 4)
    #expect(try file.text.isOver)
    #expect(try file.folder.names == ["journal"])
  }

  /// Checks that a symbolic link in place of the temporary file is not followed, because another
  /// file would be overwritten.
  @Test func aSymbolicLinkInThePlaceOfSuchAFileIsNotFollowed() async throws {
    let (file, small) = (try JournalFile(), SmallPond())
    try file.folder.write("mine", to: "other")
    #expect(symlink(file.folder.file("other"), file.path + ".new") == 0)

    let report = try await small.pond.run(journal: Journal(at: file.path))

    #expect(report.cancellation?.journalProblem?.hasPrefix("cannot be created: ") == true)
    #expect(small.calls.entries == [])
    #expect(try file.folder.text(of: "other") == "mine")
  }

  @Test func aRunThatDoesNotBeginLeavesNoFile() async throws {
    let file = try JournalFile()
    let pond = Pond("given")
    _ = pond.given("size", Int.self)

    await #expect(throws: PondError.self) {
      _ = try await pond.run(journal: Journal(at: file.path))
    }

    #expect(try file.folder.names == [])
  }

  private static func refusal(
    of path: String, by small: SmallPond = SmallPond(), ifOther otherRun: Journal.OtherRun = .fail
  ) async throws -> JournalError {
    let error = await #expect(throws: JournalError.self) {
      _ = try await small.pond.run(journal: Journal(at: path, ifOther: otherRun))
    }
    #expect(small.calls.entries == [])
    return try #require(error)
  }
}
