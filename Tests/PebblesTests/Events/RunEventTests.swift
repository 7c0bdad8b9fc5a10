import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite struct RunEventTests {
  @Test(arguments: [
    (RunEvent.Kind.ready("ping"), "ping is ready"),
    (.ready("a b"), "\"a b\" is ready"),
    (.attemptStarted("ping", attempt: 2), "ping started attempt 2"),
    (
      .attemptFailed("ping", attempt: 1, Breakdown("no\nnetwork")),
      "ping failed attempt 1: no⏎network"
    ),
    (.settled("ping", .succeeded, cause: nil), "ping succeeded"),
    (
      .settled("ping", .succeeded, cause: "core"),
      "ping succeeded, having started when core settled"
    ),
    (
      .settled("ping", .failed(Breakdown("late")), cause: "core"),
      "ping failed, having started when core settled: late"
    ),
    (.serviceEnded("http", nil), "http ended after it was up"),
    (.serviceEnded("http", Breakdown("late")), "http ended after it was up: late"),
    (.stalled(["a", "b"]), "nothing runs and nothing is ready: a, b cannot start"),
    (
      .stalled(["a", "b", "c", "d", "e", "f"]),
      "nothing runs and nothing is ready: a, b, c, d, 2 more cannot start"
    ),
    (.runEnded(isCancelled: false), "the run ended"),
    (.runEnded(isCancelled: true), "the run ended, cancelled"),
    (.dropped(1), "1 event was dropped here"),
    (.dropped(5), "5 events were dropped here"),
  ])
  func eventSaysWhatHappened(kind: RunEvent.Kind, sentence: String) {
    #expect(kind.description == sentence)
    #expect(RunEvent(time: .milliseconds(2), kind: kind).description == "2.00 ms: \(sentence)")
  }

  @Test(arguments: [
    (
      SkipReason.conditionFalse(decidedBy: "core"), "its condition became false when core settled"
    ),
    (.conditionFalse(decidedBy: nil), "its condition is false from the start"),
    (.stalled(waitingOn: ["a", "b"]), "it waits for a, b, and that waits for it in turn"),
    (.predicateNeverHeld, "only a predicate could still have let it start, and none held"),
    (.cancelled, "the run was cancelled before it could start"),
    (.notInRun, "the run has no such pebble"),
  ])
  func skipSaysWhy(reason: SkipReason, sentence: String) {
    let kind = RunEvent.Kind.settled("ping", .skipped(reason), cause: nil)

    #expect(kind.description == "ping was skipped: \(sentence)")
  }

  @Test(arguments: ["two\nlines", "\r\n\u{2028}\u{2029}\u{85}", "\u{202E}", "", "\"\\"])
  func eventIsOneLineWhateverItsNamesAndErrorsContain(text: String) {
    let error = Breakdown(text)
    let kinds: [RunEvent.Kind] = [
      .ready(text), .attemptStarted(text, attempt: 1), .attemptFailed(text, attempt: 1, error),
      .settled(text, .failed(error), cause: text),
      .settled(text, .skipped(.stalled(waitingOn: [text])), cause: text),
      .serviceEnded(text, error), .stalled([text]),
    ]

    for kind in kinds {
      #expect(kind.description.allSatisfy { !$0.isNewline })
      #expect(kind.description.unicodeScalars.allSatisfy { !$0.isInvisible })
    }
  }

  @Test func longNamesAndErrorsAreCut() {
    let text = String(repeating: "long ", count: 100_000)

    let kind = RunEvent.Kind.attemptFailed(text, attempt: 1, Breakdown(text))

    #expect(kind.description.count < 700)
  }
}
