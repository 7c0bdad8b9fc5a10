import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesDurable

/// Tests of the first entries of a journal, which do not depend on what happens to the run before
/// it begins.
@Suite(.watched) struct JournalBeginningTests {
  @Test func theBeginningOfAHeaderIsNoJournalYet() throws {
    let bytes = WrittenJournal(of: Pond("cut"), hasBegun: false).bytes
    let lineBreak = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))

    for length in 0...lineBreak {
      #expect(try JournalHeader.read(Array(bytes.prefix(length))) == nil, "\(length) bytes")
    }
  }

  @Test func aRunThatIsCancelledBeforeItBeginsSaysFirstThatItHasBegun() async throws {
    for _ in 0..<20 {
      let file = try JournalFile()
      let pond = Pond("short")
      pond.pebble("work", teardown: {}) {}

      let run = try await pond.start(journal: Journal(at: file.path))
      run.cancel()
      _ = try await run.shutdown()

      let words = try file.text.words
      #expect(words.prefix(2) == ["process", "began"])
      #expect(words.last == "over")
    }
  }

  /// Checks that the first process that syncs a journal records this before anything else. The
  /// first line of the journal says that it is not synced, and can no longer be changed.
  @Test func aProcessThatIsTheFirstToSyncSaysSoBeforeAllElse() async throws {
    let begun = try JournalFile(try await SmallPond.journal())
    let run = try await SmallPond().pond.start(
      journal: Journal(at: begun.path, surviving: .powerLoss))
    _ = try await run.report
    let left = try await run.dies(with: begun)
    #expect(try left.text.words.suffix(2) == ["process", "synced"])
    try left.write(try left.bytes + Array("torn\ntorn\n".utf8))
    let small = SmallPond()

    let report = try await small.pond.run(journal: Journal(at: left.path))

    #expect(report[small.sum] == 4)
    #expect(small.calls.entries == [])
    // It syncs as well, though it was not asked to.
    #expect(try left.text.words.suffix(2) == ["synced", "over"])
  }

  @Test func whatIsAskedForIsToldInTheOrderInWhichItIsDefined() async throws {
    let (file, pond) = (try JournalFile(), Pond("asked"))
    let given = (0..<6).map { pond.given("given \($0)", Int.self) }
    let pebbles = (0..<6).map { number in
      pond.pebble("p\(number)", .enabled { number % 2 == 0 }, needs: given) { _ in }
    }

    _ = try await pond.run(
      journal: Journal(at: file.path), given: given.reversed().map { $0.value(1) },
      only: pebbles.reversed())

    let words = try file.text.words
    #expect(words.dropFirst().first == "only p0 p1 p2 p3 p4 p5")
    #expect(words.dropFirst(2).prefix(6) == (0..<6).map { "given given \($0)" }[...])
    #expect(words.dropFirst(8).first == "began p1 p3 p5")
  }
}
