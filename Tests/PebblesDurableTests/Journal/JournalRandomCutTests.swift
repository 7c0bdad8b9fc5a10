import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesDurable

/// Tests of random ponds whose journals are cut off at random lines.
@Suite(.watched) struct JournalRandomCutTests {
  @Test(arguments: 0..<4) func whichPebblesRunDoesNotDependOnWhereTheRunIsCut(
    shard: Int
  ) async throws {
    var generator = SeededGenerator(seed: UInt64(shard))
    for _ in 0..<Thoroughness.times(10) {
      let random = ReferencePond.random(mostPebbles: 12, withCases: true, using: &generator)
      let file = try JournalFile()
      let whole = try await Self.pond(random, Logbook()).run(journal: Journal(at: file.path))
      let bytes = try file.bytes

      for _ in 0..<5 {
        let ends = JournalCuts.lineEnds(of: bytes).dropLast()
        let length = ends.randomElement(using: &generator) ?? 0
        try file.write(bytes.prefix(length))
        let before = try file.text
        let calls = Logbook<String>()
        let again = try await Self.pond(random, calls).run(journal: Journal(at: file.path))

        #expect(
          again.records.map(Self.ending) == whole.records.map(Self.ending),
          "\(random), cut at \(length)")
        #expect(before.endedForGood.isDisjoint(with: calls.entries), "\(random)")
      }
    }
  }

  private static func pond(_ random: ReferencePond, _ calls: Logbook<String>) -> Pond {
    let pond = Pond("random")
    let succeeds = random.succeeds
    random.define(
      in: pond,
      body: { pebble in
        calls.note("p\(pebble)")
        if !succeeds[pebble] { throw Breakdown() }
      }, teardown: { _ in })
    return pond
  }

  private static func ending(_ record: PebbleRecord) -> String {
    // Of several reasons to be skipped the first is told, which depends on the order of others.
    let word = record.skipKind.map { "skipped, \($0)" } ?? "\(record.outcome)"
    return "\(word) \(record.cases)"
  }
}
