import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesDurable

/// Tests of the progress of a run that is derived from the entries of its journal.
@Suite(.watched) struct JournalProgressTests {
  private let pond = Pond("known")

  init() {
    pond.pebble("first") {}
    pond.pebble("second") {}
  }

  private static func end(
    _ pebble: String, error: String? = nil, missing: String? = nil
  ) -> JournalEntry {
    .ended(.init(pebble: pebble, started: 0, finished: 1, error: error, missing: missing))
  }

  private static func up(_ pebble: String) -> JournalEntry { .up(pebble, missing: nil, at: 2) }

  private func known(_ entries: [JournalEntry]) throws -> JournalProgress {
    var known = JournalProgress(of: pond.program().pond, nil)
    for entry in entries { try known.add(entry, nil) }
    return known
  }

  @Test func aServiceThatIsCalledAgainMayCrashAsIfItWereCalledFirst() throws {
    let called = JournalEntry.called("first", attempt: 1, at: 0)

    let known = try known([called, Self.end("first"), called])

    #expect(known.progress.unfinished[0]?.crashes == 1)
  }

  @Test func oneCallOfEachProcessCountsAsACrash() throws {
    let process = JournalEntry.process(identifier: 1, wallTime: 0, date: "", elapsed: 0)
    let called = JournalEntry.called("first", attempt: 1, at: 0)

    let known = try known([process, called, called, process, called])

    #expect(known.progress.unfinished[0]?.crashes == 2)
  }

  @Test func aCallAfterAnOutputIsThereMayCrashAsIfItWereTheFirst() throws {
    let called = JournalEntry.called("first", attempt: 1, at: 0)

    let known = try known([Self.end("first"), called, Self.up("first"), called])

    #expect(known.progress.unfinished[0]?.crashes == 1)
  }

  /// Checks that a call in a process that is being stopped is not counted as a crash, whether it
  /// was made before or after the process was asked to stop.
  @Test func aCallInAProcessThatIsBeingStoppedIsNoCrash() throws {
    let process = JournalEntry.process(identifier: 2, wallTime: 0, date: "", elapsed: 0)
    let called = JournalEntry.called("first", attempt: 1, at: 0)
    func crashes(_ entries: [JournalEntry]) throws -> Int? {
      try known(entries).progress.unfinished[0]?.crashes
    }

    #expect(try crashes([called, .leaving]) == 0)
    #expect(try crashes([.leaving, called]) == 0)
    #expect(try crashes([called, process, called, .leaving]) == 1)
    #expect(try crashes([called, .leaving, process, called]) == 1)
  }

  @Test func aServiceThatIsUpAgainHasNotEnded() throws {
    let left = JournalEntry.serviceEnded("first", at: 1)

    #expect(try known([Self.end("first"), left]).progress.endedServices == [0])
    #expect(try known([Self.end("first"), left, Self.up("first")]).progress.endedServices == [])
  }

  @Test func whatIsThereAgainAfterItsTeardownIsKept() throws {
    let tornDown = JournalEntry.tornDown("first", error: nil, at: 1)
    func kept(_ entries: [JournalEntry]) throws -> Set<Int> {
      var known = try known(entries)
      known.finish(at: nil)
      return known.progress.kept
    }

    #expect(try kept([Self.end("first"), tornDown]) == [])
    #expect(try kept([Self.end("first"), tornDown, Self.up("first")]) == [0])
  }

  /// Checks that the elapsed time of a run is at least that of its last entry, even if the wall
  /// clock was set back.
  @Test func aRunHasTakenAsLongAsWhateverItToldLast() throws {
    let call = JournalEntry.Call(started: 0, finished: 7, error: "no")
    let told: [(JournalEntry, RunCancellation?)] = [
      (.process(identifier: 2, wallTime: 0, date: "", elapsed: 7), nil),
      (.called("first", attempt: 1, at: 7), nil), (.failed("first", call, next: 9), nil),
      (.ended(.init(pebble: "first", started: 0, finished: 7, error: nil)), nil),
      (.up("first", missing: nil, at: 7), nil), (.serviceEnded("first", at: 7), nil),
      (.skipped("first", holder: "second", at: 7), nil), (.cancelled(at: 7), .requested),
      (.stopping(at: 7), .shutdown), (.tornDown("first", error: nil, at: 7), nil),
      (.runFinished(at: 7), nil),
    ]

    for (entry, reason) in told {
      for wallTime in [nil, -1] as [Int64?] {
        var known = try known([.process(identifier: 1, wallTime: 0, date: "", elapsed: 3)])
        let payload = try reason.map { try JSONOutputs().encode($0)[...] }
        try known.add(entry, payload)
        known.finish(at: wallTime)
        #expect(known.progress.elapsed == 7, "\(entry)")
      }
    }
  }

  /// Checks that everything about an end, except its output, is read from the original entry if a
  /// later entry says that the output has been produced again.
  @Test func anEndIsWhatItWasAfterItsOutputIsThereAgain() throws {
    let calls = [
      JournalEntry.Call(started: 1, finished: 2, error: "no"),
      JournalEntry.Call(started: 3, finished: 4, error: nil),
    ]
    let end = JournalEntry.End(
      pebble: "first", started: 1, finished: 4, error: nil, calls: calls, missing: "is lost")

    let known = try known([.ended(end), Self.up("first")])

    guard case .ended(let step)? = known.progress.steps.first else {
      Issue.record("there is no end")
      return
    }
    #expect(step.payload == nil)
    #expect(step.started == 1 && step.finished == 4 && step.succeeded)
    #expect(step.attempts.map(\.finished) == [.nanoseconds(2), .nanoseconds(4)])
    #expect(step.attempts.map { $0.error.map { "\($0)" } } == ["no", nil])
  }

  @Test func anOutputIsKeptUnlessItIsMissing() throws {
    #expect(try known([Self.end("first"), Self.end("second")]).progress.kept == [0, 1])
    #expect(
      try known([Self.end("first"), Self.end("second", missing: "is lost")]).progress.kept == [0])
    #expect(try known([Self.end("first", error: "no"), Self.end("second")]).progress.kept == [1])
  }

  @Test func aShutdownOfARunThatHadNotEndedIsDamage() throws {
    func clause(_ entries: [JournalEntry]) throws -> String? {
      var known = try known(entries)
      let reason = try JSONOutputs().encode(RunCancellation.shutdown)
      try known.add(.stopping(at: 2), reason[...])
      known.finish(at: nil)
      do throws(JournalReader.Fault) {
        try known.check()
        return nil
      } catch {
        return "\(error)"
      }
    }

    #expect(
      try clause([Self.end("first")])
        == #"damaged("it records the shutdown of a run that had not ended")"#)
    #expect(try clause([Self.end("first"), Self.end("second")]) == nil)
  }

  // MARK: What comes of that

  @Test func whatFailedForACancellationThatWasNotToldHasEndedOnceOnly() async throws {
    let small = SmallPond()
    var journal = WrittenJournal(of: small.pond)
    journal.tell(
      .ended(
        .init(pebble: "opens", started: 0, finished: 1, error: "cancelled", wasCancelled: true)))
    journal.tell(.process(identifier: 2, wallTime: 0, date: "", elapsed: 1))
    journal.tell(.ended(.init(pebble: "opens", started: 1, finished: 2, error: nil)), "3")
    let file = try JournalFile(journal.bytes)

    let report = try await small.pond.run(journal: Journal(at: file.path))

    #expect(report[small.sum] == 4)
    #expect(small.calls.entries == ["sum"])
  }

  /// Checks a body that ended in the second process, after its teardown in the first. In the first
  /// one, the journal had no room for the entry of its end, but for the shorter entry of its
  /// teardown.
  @Test func whatHasEndedInTheProcessAfterItsTeardownIsNotCalledAgain() async throws {
    let small = SmallPond()
    var journal = WrittenJournal(of: small.pond)
    journal.tell(.called("opens", attempt: 1, at: 0))
    journal.tell(.tornDown("opens", error: nil, at: 1))
    journal.tell(.process(identifier: 2, wallTime: 0, date: "", elapsed: 1))
    journal.tell(.called("opens", attempt: 1, at: 1))
    journal.tell(.ended(.init(pebble: "opens", started: 1, finished: 2, error: nil)), "3")
    let file = try JournalFile(journal.bytes)

    let report = try await small.pond.run(journal: .at(file, seconds: 0))

    #expect(report[small.sum] == 4)
    #expect(small.calls.entries == ["sum"])
  }

  @Test func whatWasStoppedAndHasEndedInTheNextProcessHasEndedOnce() throws {
    let called = JournalEntry.called("first", attempt: 2, at: 1)
    let stopped = JournalEntry.ended(
      .init(pebble: "first", started: 0, finished: 1, error: "cancelled", wasCancelled: true))
    let failed = JournalEntry.failed(
      "first", .init(started: 0, finished: 1, error: "no"), next: 1)
    let process = JournalEntry.process(identifier: 2, wallTime: 0, date: "", elapsed: 1)

    let left = try known([failed, called, stopped, process])
    var next = try known([failed, called, stopped, process, Self.end("first")])
    let reason = try JSONOutputs().encode(RunCancellation.requested)
    try next.add(.cancelled(at: 2), reason[...])
    next.finish(at: nil)
    try next.check()

    #expect(left.progress.steps.isEmpty)
    #expect(left.progress.unfinished[0]?.attempts.count == 1)
    #expect(left.progress.unfinished[0]?.crashes == 0)
    #expect(next.progress.kept == [0])
  }

  @Test func whatFailedForACancellationInAnEarlierProcessIsNoFailureOfTheRun() async throws {
    var journal = WrittenJournal(of: pond)
    let reason = try JSONOutputs().encode(RunCancellation.requested)
    journal.tell(.called("first", attempt: 1, at: 0))
    journal.tell(.cancelled(at: 1), String(decoding: reason, as: UTF8.self))
    journal.tell(
      .ended(
        .init(pebble: "first", started: 0, finished: 1, error: "cancelled", wasCancelled: true)))
    let file = try JournalFile(journal.bytes)

    let report = try await pond.run(journal: Journal(at: file.path))

    #expect(report.cancellation == .requested)
    #expect(report.outcomeWords == ["first failed", "second skipped"])
    #expect(report.records.map(\.wasCancelled) == [true, false])
    #expect(report.unhandledFailures.isEmpty)
    #expect(report.exitCode == 0)
  }

  @Test func aBodyThatHasNotFailedIsCalledAgainAtOnce() async throws {
    let small = SmallPond()
    var journal = WrittenJournal(of: small.pond)
    journal.tell(.called("opens", attempt: 1, at: 0))
    let (file, clock) = (try JournalFile(journal.bytes), AlarmClock())

    let run = try await small.pond.start(journal: .at(file, seconds: 0), clock: clock)
    try await until { small.calls.count == 2 }
    _ = try await run.shutdown()

    #expect(clock.sleeps.entries == [])
  }

  @Test(arguments: [(0, true), (1, false)])
  func aTornLineIsDroppedUnlessTheNextTellsThatItWasOnTheDisk(more: Int, isDropped: Bool) throws {
    var journal = WrittenJournal(of: pond, syncs: true)
    let length = journal.bytes.count
    journal.tear()
    journal.tell(.synced(length + more))
    var reader = try #require(try JournalReader(journal.bytes))

    do {
      while try reader.next() != nil {}
      #expect(isDropped)
    } catch {
      #expect(!isDropped)
    }
    #expect(reader.length == length)
  }

  /// Checks that several torn lines are dropped if the journal is synced, which the header or a
  /// later entry can say, and that they are an error otherwise.
  @Test(arguments: [false, true])
  func severalTornLinesAreDroppedIfTheJournalHasBeenSynced(isSynced: Bool) throws {
    var journal = WrittenJournal(of: pond)
    let begun = journal.bytes.count
    if isSynced { journal.tell(.synced(begun)) }
    let length = journal.bytes.count
    for _ in 0..<2 { journal.tear() }
    var reader = try #require(try JournalReader(journal.bytes))

    do {
      while try reader.next() != nil {}
      #expect(isSynced)
    } catch {
      #expect(!isSynced)
    }
    #expect(reader.length == length)
  }

  @Test(arguments: [(5, ""), (6, " and 1 more")])
  func theFirstFiveAreNamedOfThoseThatARunIsOf(count: Int, rest: String) async throws {
    let asked = Pond("asked")
    for number in 0..<7 { asked.pebble("p\(number)") {} }
    var journal = WrittenJournal(of: asked, hasBegun: false)
    journal.tell(.process(identifier: 1, wallTime: 0, date: "", elapsed: 0))
    journal.tell(.only((0..<count).map { "p\($0)" }))
    journal.tell(.began(disabled: []))
    let file = try JournalFile(journal.bytes)

    let error = await #expect(throws: JournalError.self) {
      _ = try await asked.run(journal: Journal(at: file.path))
    }

    let named = "it runs p0, p1, p2, p3, p4\(rest); finish it"
    #expect(error?.description.contains(named) == true)
  }

  @Test func aJournalIsWhatItsDocumentationSaysUnlessItIsTold() {
    for journal in [Journal(at: "here"), Journal(at: "here", wallClock: { 0 })] {
      #expect(journal.durability == .processCrash)
      #expect(journal.patience == .seconds(30))
      #expect(journal.otherRun == .fail)
      #expect(journal.largestOutput == 16 * 1_024 * 1_024)
    }
  }
}
