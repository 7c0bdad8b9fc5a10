import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesDurable

/// Tests that the next process continues a run wherever the journal was cut off when a process
/// died.
@Suite(.watched) struct JournalCutTests {
  @Test func aRunThatIsCutAnywhereGoesOnThere() async throws {
    let whole = try await Self.nightlyJournal(surviving: .processCrash)

    for length in JournalCuts.lengths(of: whole) {
      try await Self.expectNightlyGoesOn(from: Array(whole.prefix(length)), "cut at \(length)")
    }
  }

  @Test func soDoesOneThatIsToSurviveTheLossOfPower() async throws {
    let whole = try await Self.nightlyJournal(surviving: .powerLoss)

    for length in JournalCuts.lengths(of: whole) {
      try await Self.expectNightlyGoesOn(from: Array(whole.prefix(length)), "cut at \(length)")
    }
  }

  @Test func whatWasNotOnTheDiskWhenPowerWasLostMayBeAnything() async throws {
    let whole = try await Self.nightlyJournal(surviving: .powerLoss)
    var generator = SeededGenerator(seed: 7)

    for length in JournalCuts.lineEnds(of: whole).dropFirst() {
      let synced = try Self.syncedLength(whole.prefix(length))
      for start in stride(from: synced, to: length, by: Thoroughness.isFull ? 1 : 610) {
        let tails: [(Int) -> UInt8] = [
          { _ in 0 }, { _ in UInt8.random(in: 0...255, using: &generator) },
          { $0 % 7 == 3 ? UInt8(ascii: "\n") : 0 },
        ]
        for (kind, tail) in tails.enumerated() {
          let bytes = whole.prefix(start) + (start..<length).map(tail)
          try await Self.expectNightlyGoesOn(
            from: Array(bytes), "\(start) to \(length) replaced, \(kind)")
        }
      }
    }
  }

  @Test func aCancelledRunThatIsCutAnywhereIsCancelledInTheEnd() async throws {
    let file = try JournalFile()
    let first = CancelledPond()
    let run = try await first.pond.start(journal: Journal(at: file.path))
    #expect(try await run.report.isCancelled)
    _ = try await run.shutdown()
    let whole = try file.bytes

    for length in JournalCuts.lengths(of: whole).dropLast() {
      try file.write(whole.prefix(length))
      let before = try file.text
      let again = CancelledPond()
      let run = try await again.pond.start(journal: Journal(at: file.path))
      let report = try await run.report
      _ = try await run.shutdown()

      #expect(report.isCancelled, "cut at \(length)")
      #expect(
        report.outcomeWords.filter { !$0.hasPrefix("waits ") }
          == ["opens succeeded", "fails failed", "follows skipped"], "cut at \(length)")
      #expect(
        before.tornDown.count + again.closed.count == 1, "cut at \(length): \(before.words)")
      #expect(before.endedForGood.isDisjoint(with: again.calls.entries), "cut at \(length)")
      #expect(try file.text.isOver, "cut at \(length)")
    }
  }

  // MARK: A nightly run

  private static func nightlyJournal(
    surviving durability: Journal.Durability
  ) async throws
    -> [UInt8]
  {
    let file = try JournalFile()
    let nightly = NightlyPond()
    let run = try await nightly.pond.start(
      journal: Journal(at: file.path, surviving: durability), given: [nightly.size.value(2)])
    #expect(try await run.report.outcomeWords == NightlyPond.outcomes)
    _ = try await run.shutdown()
    #expect(nightly.closed.entries.sorted() == ["fetch", "parse"])
    return try file.bytes
  }

  private static func expectNightlyGoesOn(from bytes: [UInt8], _ comment: Comment) async throws {
    let file = try JournalFile(bytes)
    let before = try JournalText(bytes)
    let again = NightlyPond()

    let run = try await again.pond.start(
      journal: Journal(at: file.path), given: [again.size.value(2)])
    let report = try await run.report
    _ = try await run.shutdown()

    #expect(report.outcomeWords == NightlyPond.outcomes, comment)
    #expect(report[again.report] == "db-0,db-1", comment)
    if !before.isOver {
      #expect(before.endedForGood.isDisjoint(with: again.calls.entries), comment)
      let closed = again.closed.entries + before.tornDown.subtracting(["database"])
      #expect(closed.sorted() == ["fetch", "parse"], comment)
      // The service, too, unless it had died with its process.
      #expect(try file.text.tornDown.subtracting(["database"]) == ["fetch", "parse"], comment)
    }
    #expect(try file.text.isOver, comment)
  }

  /// Returns the length of the part of a journal that has been synced to the disk, according to its
  /// entries.
  private static func syncedLength(_ bytes: some Sequence<UInt8>) throws -> Int {
    let text = try JournalText(Array(bytes))
    let counts = text.entries.compactMap { entry, _ in
      if case .synced(let count) = entry { count } else { nil }
    }
    let header = Array(bytes).firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return max(header, counts.max() ?? 0)
  }
}

/// A pond with a body that fails and thereby cancels the run.
private struct CancelledPond {
  let pond = Pond("cancelled", onFailure: .cancelAll)
  let calls = Logbook<String>()
  let closed = Logbook<String>()

  init() {
    let (calls, closed) = (calls, closed)
    let opens = pond.pebble("opens", teardown: { (_: Int) in closed.note("opens") }) {
      calls.note("opens")
      return 1
    }
    let begun = Gate()
    pond.pebble("fails", needs: opens) { _ in
      calls.note("fails")
      await begun.passed()
      throw Breakdown()
    }
    let waits = pond.pebble("waits", needs: opens) { _ in
      begun.open()
      try await untilCancelled()
    }
    pond.pebble("follows", when: waits.succeeded) { calls.note("follows") }
  }
}
