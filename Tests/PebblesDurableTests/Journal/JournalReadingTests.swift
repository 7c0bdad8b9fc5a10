import Foundation
import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

@testable import PebblesDurable

/// Tests of reading a journal whose run may still be in progress.
@Suite(.watched) struct JournalReadingTests {
  private static func failed(_ pebble: String, _ error: String) -> JournalEntry {
    .failed(pebble, .init(started: 0, finished: 1, error: error), next: 5_000_000_000)
  }

  /// Checks that a file is read to its end even if it is shorter than its reported size. Some
  /// system files report the size of a memory page.
  @Test(.enabled(if: FileManager.default.isReadableFile(atPath: Self.shortFile)))
  func aFileThatIsShorterThanItSaysIsReadToItsEnd() throws {
    let file = try SystemFile(Self.shortFile, access: .reading)

    #expect(try (1..<4_096).contains(file.read().count))
  }

  private static let shortFile = "/sys/kernel/mm/transparent_hugepage/enabled"

  @Test func aFileInNoFolderIsNotSaidToBeCreated() throws {
    let folder = try TemporaryFolder()

    let error = #expect(throws: JournalError.self) {
      try RecordedRun(journalAt: folder.file("none/journal"))
    }

    #expect(error?.description.contains("cannot be opened: there is no folder ") == true)
  }

  @Test func aTeardownIsNoPartOfTheRunThatIsRead() async throws {
    let (file, clock) = (try JournalFile(), AlarmClock())
    let pond = Pond("torn")
    let stalls = pond.pebble("stalls") {}
    stalls.ready = stalls.succeeded
    pond.pebble("opens", teardown: { clock.advance(by: .seconds(90)) }) {
      clock.advance(by: .seconds(5))
    }
    let report = try await pond.run(journal: .at(file, seconds: 0), clock: clock)

    let run = try RecordedRun(journalAt: file.path)

    #expect(report.makespan == .seconds(5))
    #expect(run.makespan == report.makespan)
    #expect(run.pebbles.map(\.finished) == report.records.map(\.finished))
  }

  @Test func aTeardownIsNoPartOfACancelledRunThatIsRead() async throws {
    let (file, clock, started) = (try JournalFile(), AlarmClock(), Gate())
    let pond = Pond("torn")
    let opens = pond.pebble("opens", teardown: { clock.advance(by: .seconds(90)) }) {}
    pond.pebble("stays", when: opens.succeeded) {
      started.open()
      try await untilCancelled()
    }
    let run = try await pond.start(journal: .at(file, seconds: 0), clock: clock)
    await started.passed()
    clock.advance(by: .seconds(5))
    run.cancel()
    let report = try await run.reportAfterShutdown()

    let recorded = try RecordedRun(journalAt: file.path)

    #expect(clock.now == AlarmClock.Instant(offset: .seconds(95)))
    #expect(report.makespan == .seconds(5))
    #expect(recorded.makespan == report.makespan)
  }

  @Test func aTeardownThatFailedIsReadOnceTheRunIsOver() async throws {
    let file = try JournalFile()
    let pond = Pond("torn")
    pond.pebble("opens", teardown: { throw Breakdown("locked") }) {}
    let report = try await pond.run(journal: Journal(at: file.path))

    let run = try RecordedRun(journalAt: file.path)

    #expect(report.exitCode == 1)
    #expect(try run.exitCode == 1)
    #expect(try run.problems == ["opens: it could not be torn down: locked"])
    #expect(try RecordedRun(json: run.json()).shutdown == run.shutdown)
    let cut = try RecordedRun(journal: file.bytes(through: "tornDown opens"))
    #expect(cut.shutdown == nil)
  }

  @Test func theTeardownOfAServiceIsReadOnceTheRunIsOver() async throws {
    let (file, pond) = (try JournalFile(), Pond("served"))
    let database: Pebble<Int> = pond.service(
      "database", teardown: { _ in throw Breakdown("locked") }
    ) { ready in
      ready(1)
      await ready.stopRequested()
    }
    pond.service("server", needs: database) { ready, _ in
      ready()
      await ready.stopRequested()
    }
    let run = try await pond.start(journal: Journal(at: file.path))
    _ = try await run.report
    _ = try await run.shutdown()

    let recorded = try RecordedRun(journalAt: file.path)

    #expect(recorded.shutdown?.teardowns.map(\.pebble) == [1, 0])
    #expect(try recorded.problems == ["database: it could not be torn down: locked"])
    #expect(try recorded.exitCode == 1)
  }

  @Test func theTimesOfAShutdownAreThoseSinceItBegan() async throws {
    let (file, clock) = (try JournalFile(), AlarmClock())
    let pond = Pond("torn")
    let first = pond.pebble("first", teardown: { clock.advance(by: .seconds(3)) }) {}
    pond.pebble("second", when: first.succeeded, teardown: { clock.advance(by: .seconds(2)) }) {
      clock.advance(by: .seconds(40))
    }
    let run = try await pond.start(journal: .at(file, seconds: 0), clock: clock)
    _ = try await run.report
    _ = try await run.shutdown()

    let shutdown = try #require(try RecordedRun(journalAt: file.path).shutdown)

    #expect(shutdown.started == .seconds(40))
    #expect(shutdown.duration == .seconds(5))
    #expect(shutdown.teardowns.map(\.finished) == [.seconds(2), .seconds(5)])
  }

  @Test func anErrorOfTheTeardownOfALateOutputIsReadAlsoByTheNextProcess() async throws {
    let (file, clock, gate) = (try JournalFile(), AlarmClock(), Gate())
    let pond = Pond("late")
    let connect = pond.pebble(
      "connect", .timeout(.seconds(5)), teardown: { (_: Int) in throw Breakdown("no reply") }
    ) {
      await gate.passed()
      return 1
    }
    pond.service("offline", when: connect.failed) { ready in
      ready()
      await ready.stopRequested()
    }
    let run = try await pond.start(journal: .at(file, seconds: 0), clock: clock)
    await clock.asleep(1)
    clock.advance(by: .seconds(5))
    _ = try await run.report
    gate.open()
    try await until { (try? file.text.words.contains("lateTeardownFailed connect")) == true }
    let left = try await run.dies(with: file)

    let recorded = try RecordedRun(journalAt: file.path)
    let next = try await pond.start(journal: .at(left, seconds: 9), clock: AlarmClock())
    let report = try await next.report
    _ = try await next.shutdown()

    #expect(
      try recorded.problems
        == ["connect: an output that came late could not be torn down: no reply"])
    #expect(report.record(of: connect)?.lateTeardownErrors.map { "\($0)" } == ["no reply"])
    #expect(report.exitCode == 1)
  }

  @Test func aTeardownThatHasNotEndedInTimeIsRead() async throws {
    let (file, clock, gate) = (try JournalFile(), AlarmClock(), Gate())
    defer { gate.open() }
    let pond = Pond("torn")
    pond.pebble("opens", teardown: { await gate.passed() }) {}
    let run = try await pond.start(journal: .at(file, seconds: 0), clock: clock)
    _ = try await run.report
    let shutdown = Task { try await run.shutdown(within: .seconds(2)) }
    await clock.asleep(1)
    clock.advance(by: .seconds(2))
    let failures = try await shutdown.value.failures

    let recorded = try RecordedRun(journalAt: file.path)

    #expect(failures.map(\.pebble) == ["opens"])
    #expect(
      recorded.shutdown?.failures.map(\.error) == failures.map { $0.error.map { "\($0)" } })
    #expect(try recorded.exitCode == 1)
  }

  /// Checks a teardown that has ended just as the journal recorded that it had not ended in time.
  @Test func aTeardownWithTwoEntriesIsReadOnce() throws {
    let pond = Pond("torn")
    pond.pebble("opens", teardown: {}) {}
    var journal = WrittenJournal(of: pond)
    journal.tell(.ended(.init(pebble: "opens", started: 0, finished: 1, error: nil)))
    let reason = try JSONOutputs().encode(RunCancellation.shutdown)
    journal.tell(.stopping(at: 2), String(decoding: reason, as: UTF8.self))
    journal.tell(.tornDown("opens", error: "late", at: 3))
    journal.tell(.tornDown("opens", error: nil, at: 4))
    journal.tell(.runFinished(at: 5))

    let run = try RecordedRun(journal: journal.bytes)

    #expect(run.shutdown?.teardowns.map(\.error) == ["late"])
    #expect(try run.problems == ["opens: it could not be torn down: late"])
  }

  /// Checks entries that replace the output of a pebble. A run writes them only for pebbles that
  /// have succeeded, but a journal can contain anything.
  @Test(arguments: [
    JournalEntry.tornDown("opens", error: nil, at: 2), .up("opens", missing: nil, at: 2),
    .up("opens", missing: "is lost", at: 2),
  ])
  func aFailedPebbleKeepsItsError(entry: JournalEntry) throws {
    let pond = Pond("torn")
    pond.pebble("opens") { throw Breakdown("unused") }
    pond.pebble("next") {}
    var journal = WrittenJournal(of: pond)
    journal.tell(.ended(.init(pebble: "opens", started: 0, finished: 1, error: "no")))
    journal.tell(entry)

    let run = try RecordedRun(journal: journal.bytes)

    #expect(run.pebbles.first?.outcome == .failed("no"))
  }

  @Test func anEntryOfAPebbleThatThePondDoesNotHaveIsNotPassedOver() {
    let pond = Pond("reading")
    pond.pebble("load") {}
    var journal = WrittenJournal(of: pond)
    journal.tell(.ended(.init(pebble: "load", started: 0, finished: 1, error: nil)))
    journal.tell(.called("save", attempt: 1, at: 2))
    journal.tell(.runFinished(at: 3))

    let error = #expect(throws: JournalError.self) { try RecordedRun(journal: journal.bytes) }

    #expect(error?.description.contains("save") == true)
  }

  @Test func itSaysWhatEachPebbleIsAt() throws {
    let pond = Pond("reading")
    let names = ["runs", "waits", "again", "often", "crashed"]
    let pebbles = names.map { pond.pebble($0) {} }
    pond.pebble("after", when: pebbles[0].succeeded) {}
    var journal = WrittenJournal(of: pond)
    journal.tell(.called("runs", attempt: 1, at: 0))
    journal.tell(Self.failed("again", "no"))
    for error in ["no", "neither"] { journal.tell(Self.failed("often", error)) }
    journal.tell(Self.failed("crashed", "no"))
    journal.tell(.called("crashed", attempt: 2, at: 5))

    let run = try RecordedRun(journal: journal.bytes)

    #expect(
      run.unended == [
        0: "was running", 1: "had not begun",
        2: "had failed once and was to be called again at 5.00 s: no",
        3: "had failed 2 times and was to be called again at 5.00 s: neither",
        4: "was running", 5: "had not begun",
      ])
  }

  @Test func whatFailedForACancellationIsToldFromWhatFailedBeforeIt() throws {
    let pond = Pond("cancelled")
    for name in ["before", "after"] { pond.pebble(name) {} }
    var journal = WrittenJournal(of: pond)
    journal.tell(.ended(.init(pebble: "before", started: 0, finished: 1, error: "no")))
    let reason = try JSONOutputs().encode(RunCancellation.requested)
    journal.tell(.cancelled(at: 2), String(decoding: reason, as: UTF8.self))
    journal.tell(
      .ended(.init(pebble: "after", started: 0, finished: 3, error: "no", wasCancelled: true)))

    let run = try RecordedRun(journal: journal.bytes)

    #expect(run.pebbles.map(\.wasCancelled) == [false, true])
    #expect(run.unended == nil)
  }

  /// Checks that a failure caused by the cancellation of a run is recorded as such, even if the
  /// runner has called another body before.
  @Test func whatTheCancellationOfARecordedRunMakesFailIsToldAsSuch() async throws {
    let (file, pond, started) = (try JournalFile(), Pond("cancelled"), Gate())
    let first = pond.pebble("first") {}
    pond.pebble("second", when: first.succeeded) {
      started.open()
      try await untilCancelled()
    }
    let run = try await pond.start(journal: Journal(at: file.path))
    await started.passed()
    run.cancel()
    _ = try await run.report

    let recorded = try RecordedRun(journalAt: file.path)

    #expect(recorded.pebbles.map(\.wasCancelled) == [false, true])
  }

  @Test func whatFollowedFromAStallIsReadAfterIt() throws {
    let pond = Pond("stalled")
    let stuck = pond.pebble("stuck") {}
    stuck.ready = stuck.succeeded
    pond.pebble("after", when: stuck.skipped) {}
    var journal = WrittenJournal(of: pond)
    journal.tell(.ended(.init(pebble: "after", started: 1, finished: 2, error: nil)))

    let run = try RecordedRun(journal: journal.bytes)

    #expect(run.pebbles[0].outcome.skipReason?.isStalled == true)
    #expect(run.pebbles[1].outcome == .succeeded)
    #expect(run.unended == nil)
  }

  @Test func whatHasStalledHasEndedThoughTheRunGoesOn() throws {
    let pond = Pond("stalled")
    let stuck = pond.pebble("stuck") {}
    stuck.ready = stuck.succeeded
    pond.pebble("after", when: stuck.skipped) {}
    var journal = WrittenJournal(of: pond)
    journal.tell(.called("after", attempt: 1, at: 5))

    let run = try RecordedRun(journal: journal.bytes)

    #expect(run.unended == [1: "was running"])
    #expect(run.pebbles[0].outcome.skipReason?.isStalled == true)
  }

  @Test func whatWasStoppedWithItsProcessHasNotEnded() throws {
    let pond = Pond("stopped")
    pond.pebble("work") {}
    var journal = WrittenJournal(of: pond)
    journal.tell(.called("work", attempt: 1, at: 0))
    journal.tell(
      .ended(.init(pebble: "work", started: 0, finished: 1, error: "no", wasCancelled: true)))

    let run = try RecordedRun(journal: journal.bytes)

    #expect(run.unended == [0: "was stopped with its process"])
  }

  @Test func aRunWhoseRestWaitsForItselfHasEnded() throws {
    let pond = Pond("stalled")
    pond.pebble("first") {}
    let one = pond.pebble("one") {}
    let other = pond.pebble("other", when: one.succeeded) {}
    one.ready = other.succeeded
    var journal = WrittenJournal(of: pond)
    journal.tell(.ended(.init(pebble: "first", started: 0, finished: 1, error: nil)))

    let run = try RecordedRun(journal: journal.bytes)

    #expect(run.unended == nil && run.cancellation == nil)
    #expect(run.pebbles.map { $0.outcome.skipReason?.isStalled == true } == [false, true, true])
  }
}
