import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesDurable

/// What a journal tells first, whatever happens to the run before it begins.
@Suite(.watched) struct JournalBeginningTests {
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
}
