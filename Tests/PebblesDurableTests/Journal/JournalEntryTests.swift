import PebblesAnalysis
import Testing

@testable import PebblesDurable

/// Tests of the format of journal entries, which must never change, because existing journals must
/// remain readable.
@Suite struct JournalEntryTests {
  static let texts = [
    #"{"entry": "process", "process": 0, "date": "", "wallTime": -9223372036854775808, "#
      + #""elapsed": 0}"#,
    #"{"entry": "process", "process": 2147483647, "date": "2023-11-14T22:13:20Z", "#
      + #""wallTime": 9223372036854775807, "elapsed": 18446744073709551615}"#,
    #"{"entry": "only", "pebbles": ["a", "b"]}"#,
    #"{"entry": "given", "pebble": "a"}"#,
    #"{"entry": "given", "pebble": "a", "cases": ["succeeded(\"x\")"], "missing": "is lost"}"#,
    #"{"entry": "began", "disabled": []}"#,
    #"{"entry": "began", "disabled": ["a"]}"#,
    #"{"entry": "called", "pebble": "a", "attempt": 1, "at": 2}"#,
    #"{"entry": "failed", "pebble": "a", "started": 1, "at": 2, "error": "no", "next": 3}"#,
    #"{"entry": "ended", "pebble": "a", "outcome": "succeeded", "started": 0, "at": 1}"#,
    #"{"entry": "ended", "pebble": "a", "outcome": "succeeded", "cases": ["is(\"7\")"], "#
      + #""started": 0, "at": 1, "missing": "is lost"}"#,
    #"{"entry": "ended", "pebble": "a", "outcome": "failed", "started": 0, "at": 3, "#
      + #""error": "no", "attempts": [{"started": 0, "at": 1, "error": "at first"}, "#
      + #"{"started": 2, "at": 3, "error": "no"}], "wasCancelled": true}"#,
    #"{"entry": "up", "pebble": "a", "at": 1, "missing": "is lost"}"#,
    #"{"entry": "left", "pebble": "a", "at": 1}"#,
    #"{"entry": "decided", "pebble": "a", "decision": "goOn"}"#,
    #"{"entry": "decided", "pebble": "a", "decision": "cancelAll"}"#,
    #"{"entry": "decided", "pebble": "a", "decision": "cancelUnlessHandled"}"#,
    #"{"entry": "skipped", "pebble": "a", "holder": "b", "at": 1}"#,
    #"{"entry": "leaving"}"#,
    #"{"entry": "cancelled", "at": 1}"#,
    #"{"entry": "stopping", "at": 1}"#,
    #"{"entry": "tornDown", "pebble": "a", "at": 1}"#,
    #"{"entry": "tornDown", "pebble": "a", "error": "no", "at": 1}"#,
    #"{"entry": "lateTeardownFailed", "pebble": "a", "error": "no", "at": 1}"#,
    #"{"entry": "over", "at": 1}"#,
    #"{"entry": "synced", "bytes": 0}"#,
  ]

  @Test(arguments: texts) func anEntryIsWrittenAsItIsRead(_ text: String) throws {
    let entry = try JournalEntry(Array(text.utf8)[...])

    #expect(String(decoding: entry.bytes, as: UTF8.self) == text)
  }

  @Test(arguments: [
    #"{"entry": "ended", "pebble": "a", "outcome": "succeeded", "started": 0, "at": 1, "#
      + #""error": "no"}"#,
    #"{"entry": "ended", "pebble": "a", "outcome": "failed", "started": 0, "at": 1}"#,
    #"{"entry": "decided", "pebble": "a", "decision": "perhaps"}"#,
    #"{"entry": "called", "pebble": "a", "attempt": 0, "at": 2}"#,
    #"{"entry": "only", "pebbles": []}"#,
    #"{"entry": "process", "process": -1, "date": "", "wallTime": 0, "elapsed": 0}"#,
    #"{"entry": "synced", "bytes": -1}"#,
  ])
  func anEntryThatContradictsItselfIsNone(_ text: String) {
    #expect(throws: JSONError.self) { _ = try JournalEntry(Array(text.utf8)[...]) }
  }

  @Test func aDateIsThatOfTheWallInUniversalTime() {
    #expect(CalendarDate.text(of: 1_700_000_000_000_000_000) == "2023-11-14T22:13:20Z")
    #expect(CalendarDate.text(of: 0) == "1970-01-01T00:00:00Z")
  }

  @Test func theBeginningOfAFirstLineIsToldFromAnotherKindOfFile() {
    func clause(_ text: String) -> String {
      do throws(JournalReader.Fault) {
        return try JournalReader(Array(text.utf8)) == nil ? "is cut" : "is whole"
      } catch {
        return "\(error)"
      }
    }

    #expect(clause("pond-journal 1") == "is cut")
    #expect(clause("pond-journal 1\n") == #"damaged("line 1 is incomplete")"#)
    #expect(clause("pond-journal 2\n") == "newerVersion(2)")
    #expect(clause("pond-journal \n") == "notAJournal")
  }
}
