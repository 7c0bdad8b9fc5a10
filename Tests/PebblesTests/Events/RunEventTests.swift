import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite struct RunEventTests {
  @Test(arguments: [
    (RunEvent.Happening.ready("ping"), "ping is ready"),
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
    (
      .serviceRestarted("http", attempt: 2, Breakdown("late")),
      "http ended after it was up and is started again, attempt 2: late"
    ),
    (
      .serviceRestarted("http", attempt: 3, nil),
      "http ended after it was up and is started again, attempt 3"
    ),
    (.shutdownBegan(nil), "the shutdown began"),
    (.shutdownBegan(.signal(.terminate)), "the shutdown began: the process got SIGTERM"),
    (.stopRequested("http"), "http is asked to stop"),
    (.teardownStarted("a b"), "\"a b\" is torn down"),
    (.teardownEnded("core", nil), "core has been torn down"),
    (.teardownEnded("core", Breakdown("late")), "core could not be torn down: late"),
    (.shutdownEnded, "the shutdown ended"),
    (.dropped(1), "1 event was dropped here"),
    (.dropped(5), "5 events were dropped here"),
  ])
  func eventSaysWhatHappened(happening: RunEvent.Happening, sentence: String) {
    let event = RunEvent(time: .milliseconds(2), happening)

    #expect(event.sentence == sentence)
    #expect(event.description == "2.00 ms: \(sentence)")
  }

  @Test(arguments: [
    (RunEvent.Happening.ready("ping"), RunEvent.Kind.ready, ["ping"]),
    (.attemptStarted("ping", attempt: 2), .attemptStarted, ["ping", "2"]),
    (.attemptFailed("ping", attempt: 2, Breakdown("late")), .attemptFailed, ["ping", "2", "late"]),
    (.settled("ping", .succeeded, cause: nil), .settled, ["ping", "succeeded"]),
    (
      .settled("ping", .failed(Breakdown("late")), cause: "core"), .settled,
      ["ping", "late", "failed", "core"]
    ),
    (.serviceEnded("http", nil), .serviceEnded, ["http"]),
    (.serviceEnded("http", Breakdown("late")), .serviceEnded, ["http", "late"]),
    (.stalled(["a", "b"]), .stalled, ["a", "b"]),
    (.runEnded(isCancelled: false), .runEnded, []),
    (.runEnded(isCancelled: true), .runEnded, ["cancelled"]),
    (.runEnded(isCancelled: false, hasFailed: true), .runEnded, ["failed"]),
    (
      .serviceRestarted("http", attempt: 2, Breakdown("late")), .serviceRestarted,
      ["http", "2", "late"]
    ),
    (.shutdownBegan(nil), .shutdownBegan, []),
    (.shutdownBegan(.requested), .shutdownBegan, ["it was cancelled"]),
    (.stopRequested("http"), .stopRequested, ["http"]),
    (.teardownStarted("core"), .teardownStarted, ["core"]),
    (.teardownEnded("core", nil), .teardownEnded, ["core"]),
    (.teardownEnded("core", Breakdown("late")), .teardownEnded, ["core", "late"]),
    (.shutdownEnded, .shutdownEnded, []),
    (.dropped(5), .dropped, ["5"]),
  ])
  func eventHasWhatItsKindHasToTellAndNothingElse(
    happening: RunEvent.Happening, kind: RunEvent.Kind, told: [String]
  ) {
    let event = RunEvent(time: .zero, happening)

    #expect(event.kind == kind)
    #expect(event.everythingTold == told)
  }

  @Test(arguments: [
    (
      SkipReason.conditionFalse(decidedBy: "core"), "its condition became false when core settled"
    ),
    (.conditionFalse(decidedBy: nil), "its condition is false from the start"),
    (.stalled(waitingOn: ["a", "b"]), "it waits for a and b, and that waits for it in turn"),
    (.stalled(waitingOn: ["ping"]), "it waits for itself"),
    (.cancelled, "the run was cancelled before it could start"),
    (.notInRun, "the run has no such pebble"),
  ])
  func skipSaysWhy(reason: SkipReason, sentence: String) {
    let event = RunEvent(time: .zero, .settled("ping", .skipped(reason), cause: nil))

    #expect(event.sentence == "ping was skipped: \(sentence)")
  }

  @Test(arguments: ["two\nlines", "\r\n\u{2028}\u{2029}\u{85}", "\u{202E}", "", "\"\\"])
  func eventIsOneLineWhateverItsNamesAndErrorsContain(text: String) {
    let error = Breakdown(text)
    let happenings: [RunEvent.Happening] = [
      .ready(text), .attemptStarted(text, attempt: 1), .attemptFailed(text, attempt: 1, error),
      .settled(text, .failed(error), cause: text),
      .settled(text, .skipped(.stalled(waitingOn: [text, text])), cause: text),
      .serviceEnded(text, error), .stalled([text]), .shutdownBegan(.journalBroken(text)),
    ]

    for happening in happenings {
      let sentence = RunEvent(time: .zero, happening).sentence
      #expect(sentence.allSatisfy { !$0.isNewline })
      #expect(sentence.unicodeScalars.allSatisfy { !$0.isInvisible })
    }
  }

  @Test func longNamesAndErrorsAreCut() {
    let text = String(repeating: "long ", count: 100_000)

    let event = RunEvent(time: .zero, .attemptFailed(text, attempt: 1, Breakdown(text)))

    #expect(event.sentence.count < 700)
  }
}

extension RunEvent {
  /// The values of all properties of the event, except the time.
  fileprivate var everythingTold: [String] {
    let outcome = outcome.map { $0.isSucceeded ? "succeeded" : $0.isFailed ? "failed" : "skipped" }
    let single = [
      pebble, attempt.map { "\($0)" }, error.map { "\($0)" }, outcome, cause,
      isCancelled ? "cancelled" : nil, hasFailed ? "failed" : nil, reason.map { "\($0)" },
      droppedCount > 0 ? "\(droppedCount)" : nil,
    ]
    return single.compactMap(\.self) + pebbles
  }
}
