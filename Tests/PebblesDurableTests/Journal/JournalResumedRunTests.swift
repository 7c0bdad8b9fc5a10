import Foundation
import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

@testable import PebblesDurable

/// Tests that a continued run looks like a run whose process never died.
@Suite(.watched) struct JournalResumedRunTests {
  @Test func itsEventsTellWhatHasHappenedAndWhatHappens() async throws {
    let file = try JournalFile()
    let whole = try await Self.settled(of: NightlyPond(), Journal(at: file.path))
    let left = try JournalFile(try file.bytes(through: "ended handle"))

    let again = try await Self.settled(of: NightlyPond(), Journal(at: left.path))

    #expect(again.sorted() == whole.sorted())
    #expect(whole.count == NightlyPond.outcomes.count)
  }

  @Test func itsStatusTellsWhatHasSettled() async throws {
    let left = try JournalFile(try await SmallPond.journal())
    let bytes = try left.bytes(through: "ended opens")
    try left.write(bytes)
    let gate = Gate()
    let pond = Pond("small")
    let opens = pond.pebble("opens", teardown: { (_: Int) in }) { 3 }
    pond.pebble("sum", needs: opens) { number in
      await gate.passed()
      return number + 1
    }

    let run = try await pond.start(journal: Journal(at: left.path))
    try await until { run.status.running.map(\.name) == ["sum"] }
    let status = run.status
    gate.open()
    _ = try await run.shutdown()

    #expect(status.settled == 1 && status.total == 2)
    #expect(status.phase == .booting)
  }

  @Test func aFailureThatIsKeptCancelsAsItDid() async throws {
    let file = try JournalFile()
    let pond = Pond("strict", onFailure: .cancelAll)
    let calls = Logbook<String>()
    pond.pebble("slow") {
      calls.note("slow")
      try await untilCancelled()
    }
    pond.pebble("bad") {
      try await until { calls.count == 1 }
      throw Breakdown()
    }
    let run = try await pond.start(journal: Journal(at: file.path))
    _ = try await run.report
    let bytes = try file.bytes(through: "ended bad")
    let left = try JournalFile(bytes)

    let report = try await pond.run(journal: Journal(at: left.path))

    #expect(report.cancellation == .failure(of: "bad"))
    #expect(calls.entries == ["slow"])
    #expect(try left.text.isOver)
  }

  @Test func aRunInsideOfABodyIsPartOfIt() async throws {
    let (inner, outer) = (Pond("inner"), Pond("outer"))
    let (file, calls) = (try JournalFile(), Logbook<String>())
    let work = inner.pebble("work") {
      calls.note("work")
      return 5
    }
    let runs = outer.pebble("runs") {
      calls.note("runs")
      return try await inner.run()[work] ?? 0
    }
    let last = outer.pebble("last", needs: runs) { number in
      if calls.count == 2 {
        calls.note("last")
        try await untilCancelled()
      }
      return number + 1
    }
    let run = try await outer.start(journal: Journal(at: file.path))
    try await until { calls.count == 3 }
    let left = try await run.dies(with: file)

    let report = try await outer.run(journal: Journal(at: left.path))

    #expect(report[last] == 6)
    #expect(calls.entries == ["runs", "work", "last"])
  }

  @Test func aJournalOfItsOwnKeepsARunInsideOfABody() async throws {
    let (inner, outer) = (Pond("inner"), Pond("outer"))
    let (file, innerFile) = (try JournalFile(), try JournalFile())
    let calls = Logbook<String>()
    let first = inner.pebble("first") { calls.note("first") }
    inner.pebble("second", when: first.succeeded) {
      calls.note("second")
      if calls.count == 2 { try await untilCancelled() }
    }
    outer.pebble("runs") { _ = try await inner.run(journal: Journal(at: innerFile.path)) }
    let run = try await outer.start(journal: Journal(at: file.path))
    try await until { calls.count == 2 }
    let innerBytes = try innerFile.bytes
    let left = try await run.dies(with: file)
    try innerFile.write(innerBytes)

    let report = try await outer.run(journal: Journal(at: left.path))

    #expect(report.outcomeWords == ["runs succeeded"])
    #expect(calls.entries == ["first", "second", "second"])
  }

  /// Checks a cancelled run whose process dies during the teardown. The cancellation is reported
  /// only once, and the run continues as a cancelled one.
  @Test func aCancelledRunIsToldOfOnceAndGoesOnCancelled() async throws {
    let (file, tearingDown, gate) = (try JournalFile(), Gate(), Gate())
    let pond = Pond("cancelled")
    let opens = pond.pebble(
      "opens",
      teardown: { (_: Int) in
        tearingDown.open()
        await gate.passed()
      }
    ) { 3 }
    let started = Gate()
    pond.pebble("waits", needs: opens) { _ in
      started.open()
      try await untilCancelled()
    }
    let run = try await pond.start(journal: Journal(at: file.path))
    await started.passed()
    run.cancel()
    await tearingDown.passed()
    let left = try JournalFile(try file.bytes)
    gate.open()
    _ = try await run.report

    let report = try await pond.run(journal: Journal(at: left.path))

    for text in [try file.text, try left.text] {
      #expect(text.words.filter { $0 == "cancelled" } == ["cancelled"])
      #expect(!text.words.contains("stopping"))
      #expect(text.isOver)
    }
    #expect(report.cancellation == .requested)
  }

  @Test func itsJournalSaysWhenWhatItSkippedWasSkipped() async throws {
    let (file, clock) = (try JournalFile(), AlarmClock())
    let (started, gate) = (Gate(), Gate())
    let pond = Pond("cancelled")
    let works = pond.pebble("works") {
      started.open()
      await gate.passed()
    }
    let skipped = pond.pebble("skipped", when: works.succeeded) {}
    let run = try await pond.start(journal: Journal(at: file.path), clock: clock)
    await started.passed()
    clock.advance(by: .seconds(2))
    run.cancel()
    clock.advance(by: .seconds(7))
    gate.open()
    let report = try await run.report

    let read = try RecordedRun(journalAt: file.path)

    #expect(report.record(of: skipped)?.finished == .seconds(2))
    #expect(read.pebbles.map(\.finished) == report.records.map(\.finished))
  }

  @Test func aRunThatSurvivesALossOfPowerDoesSoInEachProcess() async throws {
    let (file, calls) = (try JournalFile(), Logbook<String>())
    let pond = Pond("synced")
    let first = pond.pebble("first") { 1 }
    pond.pebble("second", needs: first) { number in
      calls.note("second")
      if calls.count == 1 { try await untilCancelled() }
      return number + 1
    }
    let run = try await pond.start(journal: Journal(at: file.path, surviving: .powerLoss))
    try await until { calls.count == 1 }
    let left = try await run.dies(with: file)

    try await pond.run(journal: Journal(at: left.path)).check()

    let words = try left.text.words
    let last = try #require(words.lastIndex(of: "process"))
    #expect(words.filter { $0 == "process" }.count == 2)
    // It tells first of all that the process has begun with.
    try #require(words[(last + 1)...].first == "synced", "\(words)")
    guard case .synced(let count) = try left.text.entries[last + 1].entry else { return }
    #expect(count == JournalCuts.lineEnds(of: try left.bytes)[last + 1])
  }

  @Test func whatASuccessHasTakenIsKnownToTheNextProcess() async throws {
    let (file, calls) = (try JournalFile(), Logbook<String>())
    let pond = Pond("retried")
    let first = pond.pebble("first", .retry(.attempts(3))) {
      if PebbleContext.current?.attempt == 1 { throw Breakdown("no route") }
    }
    pond.pebble("second", when: first.succeeded) {
      calls.note("second")
      if calls.count == 1 { try await untilCancelled() }
    }
    let run = try await pond.start(journal: Journal(at: file.path))
    try await until { calls.count == 1 }
    let left = try await run.dies(with: file)

    let report = try await pond.run(journal: Journal(at: left.path))

    let attempts = try #require(report.record(of: first)?.attempts)
    #expect(attempts.map { $0.error.map { "\($0)" } } == ["no route", nil])
  }

  /// Checks that a body that succeeded although it was cancelled is not called again.
  @Test func aSuccessAfterTheCancellationIsKept() async throws {
    let (file, calls) = (try JournalFile(), Logbook<String>())
    let pond = Pond("cancelled")
    let work = pond.pebble("work") {
      calls.note("work")
      try? await untilCancelled()
    }
    pond.pebble("more", when: work.succeeded) { calls.note("more") }
    let first = Task { try await pond.run(journal: Journal(at: file.path)) }
    try await until { calls.count == 1 }
    first.cancel()
    _ = try await first.value

    let report = try await pond.run(journal: Journal(at: file.path))

    #expect(report.isAllSucceeded)
    #expect(calls.entries == ["work", "more"])
  }

  @Test func oneThatASignalHasStoppedGoesOnInTheNextProcess() async throws {
    // One that no other test of this process waits for.
    signal(SIGVTALRM, SIG_IGN)
    let (file, calls) = (try JournalFile(), Logbook<String>())
    let pond = Pond("signalled")
    let opens = pond.pebble("opens", teardown: { (_: Int) in calls.note("close") }) {
      calls.note("opens")
      return 3
    }
    pond.pebble("waits", needs: opens) { _ in
      calls.note("waits")
      if calls.count > 4 { return }
      if calls.count == 3 { kill(getpid(), SIGVTALRM) }
      try await untilCancelled()
    }
    let run = try await pond.start(journal: Journal(at: file.path))
    try await until { calls.count == 2 }
    let left = try JournalFile(try file.bytes)

    let report = try await pond.run(
      untilSignal: [Signal(rawValue: SIGVTALRM)], journal: Journal(at: left.path))
    _ = try await run.shutdown()

    #expect(calls.entries == ["opens", "waits", "waits", "close"])
    #expect(report.cancellation == .signal(Signal(rawValue: SIGVTALRM)))
    #expect(report.shutdown?.records.map(\.pebble) == [])
    #expect(try left.text.words.last == "ended waits")

    let next = try await pond.run(journal: Journal(at: left.path))
    #expect(calls.entries.suffix(2) == ["waits", "close"])
    #expect(next.isAllSucceeded)
    #expect(try left.text.isOver)
  }

  @Test func aShutdownThatGoesOnIsToldOfOnce() async throws {
    let (file, small) = (try JournalFile(try await SmallPond.journal(whole: true)), SmallPond())
    let left = try JournalFile(try file.bytes(through: "stopping"))

    let run = try await small.pond.start(journal: Journal(at: left.path))
    _ = try await run.reportAfterShutdown()

    #expect(small.closed.entries == ["opens"])
    #expect(
      try left.text.words.suffix(4) == ["stopping", "process", "tornDown opens", "over"])
  }

  @Test func aTeardownThatFailedIsNotCalledAgain() async throws {
    let (file, calls) = (try JournalFile(), Logbook<String>())
    let pond = Pond("stubborn")
    let first = pond.pebble("first", teardown: { calls.note("first") }) {}
    pond.pebble(
      "second", when: first.succeeded,
      teardown: {
        calls.note("second")
        throw Breakdown()
      }
    ) {}
    let run = try await pond.start(journal: Journal(at: file.path))
    _ = try await run.report
    _ = try await run.shutdown()
    let left = try JournalFile(try file.bytes(through: "tornDown second"))

    let next = try await pond.start(journal: Journal(at: left.path))
    _ = try await next.reportAfterShutdown()

    #expect(calls.entries == ["second", "first", "first"])
  }

  /// Returns descriptions of the events with which the pebbles of a run settled.
  private static func settled(of nightly: NightlyPond, _ journal: Journal) async throws -> [String]
  {
    let run = try await nightly.pond.start(
      journal: journal, given: [nightly.size.value(2)], eventHistory: 1_000)
    _ = try await run.report
    _ = try await run.shutdown()
    var settled: [String] = []
    for await event in run.events(bufferingNewest: 1_000) {
      guard case .settled(let name, let outcome, let cases, let cause) = event.happening else {
        continue
      }
      // Which of those that parse needs is the last to end is a matter of time.
      settled.append("\(name) \(outcome) \(cases) \(name == "parse" ? "" : cause ?? "")")
    }
    return settled
  }
}
