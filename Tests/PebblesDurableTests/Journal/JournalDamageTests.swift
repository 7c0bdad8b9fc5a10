import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesDurable

/// Tests that any change to a journal is detected, except in the last line, which may be
/// incomplete.
@Suite(.watched) struct JournalDamageTests {
  @Test func aBitThatHasChangedIsFoundOrItsLineDropped() async throws {
    let whole = try await SmallPond.journal()
    let ends = JournalCuts.lineEnds(of: whole)
    // Without its break, the last but one is part of the last.
    let lastLines = (ends.dropLast().last ?? 0) - 1..<whole.count

    let places = whole.indices.filter {
      Thoroughness.isFull || $0 % 130 == 0 || $0 > whole.count - 9
    }
    for place in places {
      for bit in 0..<8 {
        var bytes = whole
        bytes[place] ^= 1 << UInt8(bit)
        let isRefused = try await Self.isRefused(bytes, "bit \(bit) of byte \(place)")
        #expect(isRefused || lastLines.contains(place), "bit \(bit) of byte \(place)")
      }
    }
  }

  @Test func linesThatAreMissingMovedOrThereTwiceAreFound() async throws {
    let lines = try await SmallPond.journal(whole: true).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).dropLast(2).map { Array($0) + [UInt8(ascii: "\n")] }

    for place in lines.indices.dropLast() {
      var (gone, twice, swapped) = (lines, lines, lines)
      gone.remove(at: place)
      twice.insert(lines[place], at: place)
      swapped.swapAt(place, place + 1)
      for changed in [gone, twice, swapped] {
        #expect(try await Self.isRefused(Array(changed.joined()), "line \(place)"))
      }
    }
  }

  @Test func whatCannotHaveHappenedIsDamage() async throws {
    let lines = try await SmallPond.journal().split(separator: UInt8(ascii: "\n")).map(Array.init)
    let impossible: [JournalEntry] = [
      .ended(.init(pebble: "sum", started: 0, finished: 1, error: nil, missing: "is lost")),
      .ended(.init(pebble: "nobody", started: 0, finished: 1, error: nil)),
      .ended(
        .init(pebble: "opens", started: 0, finished: 1, error: "no", cases: ["failed(\"x\")"])),
      .cancelled(at: 1), .skipped("sum", holder: "nobody", at: 1),
    ]

    for entry in impossible {
      var bytes = Array(lines.prefix(3).joined(separator: [UInt8(ascii: "\n")]))
      bytes.append(UInt8(ascii: "\n"))
      JournalLine.append(4, entry.bytes, to: &bytes)
      #expect(try await Self.isRefused(bytes, "\(entry)"))
    }
  }

  /// Opens a journal with the given bytes, and continues its run to the end unless the journal is
  /// rejected. Returns whether it is rejected.
  private static func isRefused(_ bytes: [UInt8], _ comment: Comment) async throws -> Bool {
    let file = try JournalFile(bytes)
    let small = SmallPond()
    do {
      let report = try await small.pond.run(journal: Journal(at: file.path))
      #expect(report.outcomeWords == ["opens succeeded", "sum succeeded"], comment)
      #expect(report[small.sum] == 4, comment)
      return false
    } catch let error as JournalError {
      let isRight = [.damaged, .notAJournal, .newerVersion].contains(error.kind)
      #expect(isRight && small.calls.entries == [], comment)
      #expect(try file.bytes == bytes, comment)
      return true
    }
  }
}
