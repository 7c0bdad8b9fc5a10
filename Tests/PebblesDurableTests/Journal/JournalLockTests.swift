import Foundation
import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesDurable

/// Tests that only one run at a time can use a journal.
@Suite(.watched) struct JournalLockTests {
  @Test func aSecondRunWaitsAndIsToldWhoUsesTheFile() async throws {
    let file = try JournalFile()
    let gate = Gate()
    let first = SmallPond { await gate.passed() }
    let run = try await first.pond.start(journal: Journal(at: file.path))
    try await until { first.calls.count == 1 }

    let second = SmallPond()
    let error = await #expect(throws: JournalError.self) {
      _ = try await second.pond.run(
        journal: Journal(at: file.path, waiting: .milliseconds(1)))
    }

    #expect(error?.kind == .inUse)
    #expect(
      error?.description
        == "the journal \(file.path) is in use by a run of the process \(getpid()) "
        + "and stayed so for 0.001 seconds; give each run a file of its own")
    #expect(second.calls.entries == [])
    gate.open()
    #expect(try await run.report[first.sum] == 4)
    _ = try await run.shutdown()
  }

  @Test func theFileIsFreeOnceTheRunIsOverWhoeverStillHoldsThat() async throws {
    let (file, small) = (try JournalFile(), SmallPond())
    let run = try await small.pond.start(journal: Journal(at: file.path))
    _ = try await run.report
    #expect(try !SystemFile(file.path).lock())

    _ = try await run.shutdown()

    try await until { (try? SystemFile(file.path).lock()) == true }
    withExtendedLifetime(run) {}
  }

  @Test func ofSeveralProcessesOfARunTheLastIsSaidToUseTheFile() async throws {
    let (gate, other) = (Gate(), SmallPond())
    let small = SmallPond { await gate.passed() }
    // It tells of a first process, with the identifier 1.
    let file = try JournalFile(WrittenJournal(of: small.pond).bytes)
    let run = try await small.pond.start(journal: Journal(at: file.path))
    try await until { small.calls.count == 1 }

    let error = await #expect(throws: JournalError.self) {
      _ = try await other.pond.run(journal: Journal(at: file.path, waiting: .milliseconds(1)))
    }

    #expect(error?.description.contains("in use by a run of the process \(getpid()) ") == true)
    gate.open()
    _ = try await run.shutdown()
  }

  @Test func itHasTheFileOnceTheFirstHasEnded() async throws {
    let file = try JournalFile()
    let gate = Gate()
    let first = SmallPond { await gate.passed() }
    let second = SmallPond("other")
    let run = try await first.pond.start(journal: Journal(at: file.path))

    async let report = second.pond.run(journal: Journal(at: file.path, waiting: .seconds(600)))
    try await until { first.calls.count == 1 }
    gate.open()
    _ = try await run.report
    #expect(second.calls.entries == [])
    _ = try await run.shutdown()

    #expect(try await report[second.sum] == 4)
    #expect(try file.folder.text(of: "journal.1").contains(#""small""#))
  }

  @Test func itWaitsNoLongerOnceItIsCancelled() async throws {
    let file = try JournalFile()
    let first = SmallPond { try await untilCancelled() }
    let run = try await first.pond.start(journal: Journal(at: file.path))
    let second = SmallPond()

    let waiting = Task {
      try await second.pond.run(journal: Journal(at: file.path, waiting: .seconds(600)))
    }
    waiting.cancel()

    await #expect(throws: CancellationError.self) { _ = try await waiting.value }
    #expect(second.calls.entries == [])
    _ = try await run.shutdown()
  }

  @Test func manyRunsAtOnceHaveItOneAfterAnother() async throws {
    let file = try JournalFile()
    let running = Logbook<Int>()

    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          let pond = Pond("turns")
          pond.pebble("turn") {
            running.note(1)
            await Task.yield()
            running.note(-1)
          }
          _ = try await pond.run(journal: Journal(at: file.path, waiting: .seconds(600)))
        }
      }
      try await group.waitForAll()
    }

    #expect(running.entries == (0..<8).flatMap { _ in [1, -1] })
    #expect(try file.text.isOver)
  }

  @Test func aProcessThatWaitsGoesOnWithTheRunOfOneThatIsKilled() async throws {
    let file = try JournalFile()
    let effects = file.folder.file("effects")

    let statuses = try await onOwnThread {
      let first = try ProbeProcess(
        ["4", file.path, effects, file.folder.file("first"), "--die-after=20"])
      while (try? file.bytes.isEmpty) != false {}
      let second = try ProbeProcess(["4", file.path, effects, file.folder.file("second")])
      return [first.wait(), second.wait()]
    }

    #expect(statuses == [nil, 0])
    #expect(try file.text.isOver)
    let keys = Dictionary(
      grouping: ProbeEffect.all(at: effects).filter { $0.word == "begin" }, by: \.name)
    #expect(keys.values.allSatisfy { Set($0.map(\.idempotencyKey)).count == 1 })
  }

  @Test func processesThatStartTogetherHaveItOneAfterAnother() async throws {
    let file = try JournalFile()
    let effects = file.folder.file("effects")

    let statuses = try await onOwnThread {
      let processes = try (0..<4).map { _ in
        try ProbeProcess(["4", file.path, effects, file.folder.file("outcomes")])
      }
      return processes.map { $0.wait() }
    }

    #expect(statuses == [0, 0, 0, 0])
    let processes = ProbeEffect.all(at: effects).map(\.process)
    let turns = zip(processes, processes.dropFirst()).count { $0 != $1 }
    #expect(turns == 3)
  }

  /// Checks that programs started by bodies do not inherit the file of the journal, because they
  /// would hold its lock even after this process has ended.
  @Test(.enabled(if: access("/proc/self/fd", R_OK) == 0, "there is no /proc"))
  func theLockIsNotHandedOnToOtherPrograms() async throws {
    let file = try JournalFile()
    let flags = Logbook<CInt>()
    let small = SmallPond {
      for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\(name)")
        if target == file.path { flags.note(fcntl(CInt(name) ?? -1, F_GETFD)) }
      }
    }

    _ = try await small.pond.run(journal: Journal(at: file.path))

    #expect(flags.entries == [FD_CLOEXEC])
  }
}
