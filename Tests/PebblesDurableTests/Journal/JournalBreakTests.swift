import Foundation
import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

@testable import PebblesDurable

/// Tests of journals that can no longer be written during a run. The run must be cancelled and torn
/// down.
@Suite(.watched) struct JournalBreakTests {
  @Test func aRunEndsWhoseJournalIsDeleted() async throws {
    let file = try JournalFile()

    let problem = try await Self.problem(of: file) { unlink(file.path) }

    #expect(problem == "is gone: it was deleted, moved or replaced")
    #expect(try file.folder.names == [])
  }

  @Test func aRunEndsWhoseJournalIsReplaced() async throws {
    let file = try JournalFile()

    let problem = try await Self.problem(of: file) {
      try file.folder.write("mine", to: "other")
      rename(file.folder.file("other"), file.path)
    }

    #expect(problem == "is gone: it was deleted, moved or replaced")
    #expect(try file.folder.text(of: "journal") == "mine")
  }

  @Test func aRunEndsInWhosePlaceThereIsAFolder() async throws {
    let file = try JournalFile()

    let problem = try await Self.problem(of: file) {
      unlink(file.path)
      mkdir(file.path, 0o755)
    }

    #expect(problem == "is gone: it was deleted, moved or replaced")
  }

  @Test func aRunEndsWhoseJournalIsEmptied() async throws {
    let file = try JournalFile()

    let problem = try await Self.problem(of: file) { truncate(file.path, 0) }

    #expect(problem == "was changed by another program while the run was under way")
    #expect(try file.bytes == [])
  }

  @Test func aRunEndsToWhoseJournalAnotherProgramHasAdded() async throws {
    let file = try JournalFile()

    let problem = try await Self.problem(of: file) {
      try file.write(try file.bytes + Array("mine".utf8))
    }

    #expect(problem == "was changed by another program while the run was under way")
  }

  @Test func oneThatBreaksWhileTheRunIsTornDownIsToldByTheExitCode() async throws {
    let (file, small) = (try JournalFile(), SmallPond())
    let run = try await small.pond.start(journal: Journal(at: file.path))
    _ = try await run.report
    unlink(file.path)

    _ = try await run.shutdown()
    let report = try await run.reportAfterShutdown()

    #expect(small.closed.entries == ["opens"])
    #expect(report.cancellation == nil)
    #expect(report.exitCode == 1)
    #expect("\(report)".contains("its journal is gone: it was deleted, moved or replaced"))
  }

  /// Checks that kept outputs are not torn down if the journal has no room for the end of the run.
  /// The next process finds them in the journal, and would tear them down a second time.
  @Test(arguments: [false, true])
  func oneWithoutRoomForTheShutdownLeavesWhatIsKeptToTheNextProcess(hasEnded: Bool) async throws {
    let (pond, calls, closed) = (Pond("full"), Logbook<String>(), Logbook<String>())
    let open = pond.pebble("open", teardown: { _ in closed.note("open") }) { 3 }
    pond.pebble("work", needs: open) { _ in
      calls.note("work")
      if !hasEnded { try await untilCancelled() }
    }
    let run = try pond.start(
      recording: RunRecording(FullJournal(), of: RunIdentifier("full"), nil), given: [], only: nil,
      clock: AlarmClock(), within: nil, learningFrom: nil, holding: nil, eventHistory: 0,
      detached: false)
    try await until { calls.count == 1 }
    if hasEnded { _ = try await run.report }

    _ = try await run.shutdown()
    let report = try await run.reportAfterShutdown()

    #expect(closed.entries == [])
    #expect(report.journalProblem == "is full")
    #expect(report.exitCode == 1)
    let recorded = try RecordedRun(json: report.recorded().json())
    #expect(try recorded.problems == ["the journal of the run is full"])
    #expect(try recorded.exitCode == 1)
  }

  /// Checks that a run ends if the disk is full, and continues once there is room. A limit on the
  /// size of files simulates the full disk.
  @Test func aRunWhoseDiskIsFullGoesOnWhereThereIsRoom() async throws {
    let problems = try await onOwnThread {
      let whole = try JournalFile()
      let expected = try Self.probe(whole, []).output
      let length = try whole.bytes.count
      let step = Thoroughness.isFull ? 97 : 997
      return try stride(from: 0, to: length, by: step).flatMap { limit in
        let file = try JournalFile()
        let full = try Self.probe(file, ["--file-limit=\(limit)"])
        let before = try file.text
        let rest = try Self.probe(file, [])
        let calls = rest.output.split(separator: "\n").filter { $0.hasPrefix("begin") }
          .compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
        var problems: [String] = []
        // If that is found while it is torn down, its end has been told.
        if full.status != 0 || !full.output.contains("cancelled: false") {
          let last = full.output.split(separator: "\n").last
          if full.status != 4 || last != "cannot be written: File too large" {
            problems.append("\(limit): ends with \(full.status): \(full.output)")
          }
        }
        let again = before.endedForGood.subtracting(before.tornDown).intersection(calls)
        // Times have more or fewer digits than in the whole run, so all of it may have had room:
        // then there is nothing to go on with, and the next process begins anew.
        if !before.isOver, !again.isEmpty {
          problems.append("\(limit): \(again) called again")
        }
        if Self.outcomes(rest.output) != Self.outcomes(expected) {
          problems.append("\(limit): \(rest.output)")
        }
        return problems
      }
    }

    #expect(problems == [])
  }

  private static func probe(_ file: JournalFile, _ options: [String]) throws -> ProgramRun {
    try ProgramRun(
      of: ProgramRun.executable("journal-probe"), ["3", file.path, "-", "-"] + options,
      output: .nonBlockingPipe)
  }

  private static func outcomes(_ output: String) -> [Substring] {
    output.split(separator: "\n").filter { line in
      !["begin ", "end ", "close "].contains { line.hasPrefix($0) }
    }
  }

  /// Runs a pond whose first body damages the journal.
  ///
  /// - Returns: The problem for which the run was cancelled; `nil` if it was not cancelled.
  private static func problem(
    of file: JournalFile, _ harm: @escaping @Sendable () throws -> some Any
  ) async throws -> String? {
    let small = SmallPond { _ = try harm() }
    let run = try await small.pond.start(journal: Journal(at: file.path))
    let report = try await run.report
    _ = try await run.shutdown()

    #expect(small.calls.entries == ["opens"])
    #expect(small.closed.entries == ["opens"])
    #expect(report.exitCode != 0)
    return report.cancellation?.journalProblem
  }
}
