import Foundation
import PebblesTestSupport
import Testing

@testable import Pebbles
@testable import PebblesDurable

/// Tests of the problems that a writer reports, and of the data that is on the disk at that time.
@Suite(.watched) struct JournalWriterTests {
  private let file: JournalFile
  private let pond = Pond("written")

  init() throws {
    file = try JournalFile()
    pond.pebble("work", teardown: {}) {}
  }

  /// Returns the writer of a run that has begun.
  private func writer(syncs: Bool = false) async throws -> JournalWriter {
    let header = JournalHeader(run: "written", syncs: syncs, pond: Array("{}".utf8))
    let outputs = JournaledOutputs(program: pond.program(), coder: JSONOutputs(), largest: 100)
    let writer = JournalWriter(try SystemFile(file.path), outputs, { 0 }, .beginning(header))
    await writer.runBegan(RunBeginning(targets: nil, disabled: [], given: [:]))
    return writer
  }

  private static let end = RunProgress.End(
    0, succeeded: true, CaseSet(), nil, started: 0, finished: 1, wasCancelled: false)

  @Test func everythingBeforeALineIsOnTheDiskIfThatFollowsFromAnEnd() async throws {
    let writer = try await writer(syncs: true)
    for _ in 0..<3 { await writer.bodyEnded(Self.end) }
    writer.bodyCalled(0, attempt: 1, at: 2)

    let text = try file.text
    #expect(
      text.words == [
        "process", "began", "synced", "ended work", "synced", "ended work", "synced",
        "ended work", "synced", "called work 1",
      ])
    // Each tells of all that stands before it.
    let ends = JournalCuts.lineEnds(of: try file.bytes)
    for (place, next) in text.entries.enumerated() {
      if case .synced(let count) = next.entry { #expect(count == ends[place]) }
    }
    writer.runEnded(at: 3)
  }

  @Test func aJournalThatIsNotToSurviveTheLossOfPowerTellsOfNoDisk() async throws {
    let writer = try await writer()
    await writer.bodyEnded(Self.end)
    writer.runEnded(at: 2)

    #expect(try file.text.words == ["process", "began", "ended work", "over"])
  }

  /// Checks that only its owner can read a journal, because outputs and given values may be secret.
  @Test func onlyItsOwnerMayReadAJournal() async throws {
    let writer = try await writer()
    await writer.bodyEnded(Self.end)
    writer.runEnded(at: 2)

    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func aRunIsOverThatWasCancelledBeforeItsProcessLeft() async throws {
    let writer = try await writer()
    writer.runCancelled(.requested, at: 1)
    writer.processWillExit()
    writer.runEnded(at: 2)

    #expect(try file.text.words == ["process", "began", "cancelled", "over"])
  }

  @Test func soIsOneWhoseShutdownHadBegunByThen() async throws {
    let writer = try await writer()
    writer.shutdownBegan(.shutdown, at: 1)
    writer.processWillExit()
    writer.runEnded(at: 2)

    #expect(try file.text.words == ["process", "began", "stopping", "over"])
  }

  @Test func aRunIsNotOverWhoseProcessLeaves() async throws {
    let writer = try await writer()
    writer.processWillExit()
    writer.runCancelled(.requested, at: 1)
    writer.runEnded(at: 2)

    #expect(try file.text.words == ["process", "began", "leaving"])
  }

  /// Checks the ends that are still recorded after the process has been asked to end. A success is
  /// recorded so that the body is not called again; a body that was stopped, so that it does not
  /// count as a crash. Other failures are not recorded, because they would be final.
  @Test(arguments: [(true, false), (false, true), (false, false)])
  func onlyOtherFailuresAreNotToldOfAfterTheProcessLeaves(
    succeeds: Bool, wasCancelled: Bool
  ) async throws {
    let writer = try await writer()
    writer.processWillExit()
    await writer.bodyEnded(
      RunProgress.End(
        0, succeeded: succeeds, CaseSet(), nil, started: 0, finished: 1,
        wasCancelled: wasCancelled))

    let isTold = succeeds || wasCancelled
    #expect(
      try file.text.words == ["process", "began", "leaving"] + (isTold ? ["ended work"] : []))
  }

  @Test func aProcessTellsWhenItBegins() async throws {
    _ = try await writer()

    guard case .process(let identifier, 0, let date, 0)? = try file.text.entries.first?.entry else {
      Issue.record("there is no such entry")
      return
    }
    #expect(identifier == getpid() && date == "1970-01-01T00:00:00Z")
  }

  @Test func whyATeardownFailedIsTold() async throws {
    let writer = try await writer()
    await writer.tornDown(0, Breakdown("it is stuck"), at: 1)
    await writer.tornDown(0, nil, at: 2)

    let errors = try file.text.entries.suffix(2).map { entry, _ -> String? in
      if case .tornDown("work", let error, _) = entry { error } else { "another entry" }
    }
    #expect(errors == ["it is stuck", nil])
  }

  @Test func onlyTeardownsAreToldOfOnceSomethingCouldNotBe() async throws {
    let (writer, problems) = (try await writer(), Logbook<String>())
    writer.whenBroken { problems.note($0) }
    #expect(rename(file.path, file.folder.file("elsewhere")) == 0)
    writer.bodyCalled(0, attempt: 1, at: 1)
    #expect(rename(file.folder.file("elsewhere"), file.path) == 0)

    writer.bodyCalled(0, attempt: 2, at: 2)
    await writer.tornDown(0, nil, at: 3)

    #expect(try file.text.words == ["process", "began", "tornDown work"])
    #expect(problems.entries == ["is gone: it was deleted, moved or replaced"])
  }

  #if canImport(Glibc)
  /// Checks that an incomplete line is removed, so that later teardowns can be recorded. The test
  /// uses a separate process, because its limit applies to all files of a process.
  @Test func aLineThatHasNoRoomLeavesNothingBehindOnWhichTeardownsWouldFail() async {
    await #expect(processExitsWith: .success) {
      let tests = try JournalWriterTests()
      let writer = try await tests.writer()
      let long = PebbleAttempt(
        started: .zero, finished: .zero, error: Breakdown(String(repeating: "x", count: 1_000)))
      let end = RunProgress.End(
        0, succeeded: true, CaseSet(), nil, started: 0, finished: 1, attempts: [long],
        wasCancelled: false)
      signal(SIGXFSZ, SIG_IGN)
      let most = rlim_t(try tests.file.bytes.count + 500)
      var limit = rlimit(rlim_cur: most, rlim_max: .max)
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)

      await writer.bodyEnded(end)
      await writer.tornDown(0, nil, at: 2)

      #expect(try tests.file.text.words == ["process", "began", "tornDown work"])
    }
  }
  #endif

  /// Checks that the run ends if its folder cannot be synced. Permissions do not apply to the
  /// superuser, so the probe gives up that role.
  @Test(.enabled(if: getuid() == 0, "it takes the superuser to become nobody"))
  func aFolderThatCannotBeBroughtToTheDiskEndsTheRun() async throws {
    let file = file
    #expect(chmod(file.folder.path, 0o333) == 0)

    let told = try await onOwnThread {
      try ProgramRun(
        of: ProgramRun.executable("journal-probe"),
        ["1", file.path, "-", "-", "--power-loss", "--nobody"])
    }

    #expect(told.status == 4)
    let problem = "is in place, but its folder cannot be written to disk: Permission denied"
    #expect(told.output.contains(problem))
    #expect(!told.output.contains("begin "))
  }
}
