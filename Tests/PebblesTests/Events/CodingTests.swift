import Foundation
import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that events and statuses are equal after encoding and decoding, and that the names of
/// their fields, which are part of the interface, do not change.
@Suite struct CodingTests {
  private static let happenings: [RunEvent.Happening] = [
    .ready("a b"), .attemptStarted("ping", attempt: 2),
    .attemptFailed("ping", attempt: 2, Breakdown("no\nroute")),
    .settled("ping", .succeeded, cause: "core"), .settled("ping", .succeeded, cause: nil),
    .settled("ping", .failed(Breakdown("late")), cause: nil),
    .settled("ping", .skipped(.conditionFalse(decidedBy: "core")), cause: "core"),
    .settled("ping", .skipped(.conditionFalse(decidedBy: nil)), cause: nil),
    .settled("ping", .skipped(.stalled(waitingOn: ["ping", "core"])), cause: nil),
    .settled("ping", .skipped(.cancelled), cause: nil),
    .settled("ping", .skipped(.disabled), cause: nil),
    .settled("ping", .skipped(.notInRun), cause: nil),
    .settled("ping", .skipped(.resourceHeld(by: "core")), cause: "core"),
    .settled("ping", .failed(Breakdown()), cases: [.failed("a b"), .failed("c")], cause: nil),
    .settled("ping", .failed(Breakdown()), cases: [.timedOut], cause: nil),
    .serviceEnded("http", nil), .serviceEnded("http", Breakdown("late")), .stalled(["a", "b"]),
    .runEnded(isCancelled: true), .runEnded(isCancelled: false),
    .runEnded(isCancelled: false, hasFailed: true),
    .serviceRestarted("http", attempt: 3, Breakdown("late")),
    .serviceRestarted("http", attempt: 3, nil), .shutdownBegan(nil), .shutdownBegan(.requested),
    .shutdownBegan(.failure(of: "a b")), .shutdownBegan(.deadlinePassed),
    .shutdownBegan(.shutdown), .shutdownBegan(.serviceEnded("http")),
    .shutdownBegan(.signal(.terminate)), .shutdownBegan(.backgroundTimeExpired),
    .stopRequested("http"), .teardownStarted("core"), .teardownEnded("core", nil),
    .teardownEnded("core", Breakdown("late")), .shutdownEnded, .dropped(7),
  ]

  @Test func everyEventComesBackAsItWas() throws {
    for happening in Self.happenings {
      let event = RunEvent(time: .nanoseconds(1_234_567_891), happening)

      let copy = try JSONDecoder().decode(RunEvent.self, from: JSONEncoder().encode(event))

      #expect(copy.time == event.time)
      #expect(copy.kind == event.kind)
      #expect(copy.description == event.description)
      #expect((copy.error == nil) == (event.error == nil))
      #expect(copy.outcome?.skipReason == event.outcome?.skipReason)
      #expect(copy.cases == event.cases)
      #expect(copy.reason == event.reason)
      #expect(copy.pebbles == event.pebbles)
      #expect(copy.isCancelled == event.isCancelled)
      #expect(copy.hasFailed == event.hasFailed)
    }
  }

  @Test func whatAnEncoderRefusesOfAnEventIsThrown() throws {
    for happening in Self.happenings {
      let event = RunEvent(time: .zero, happening)
      let fields = try #require(
        JSONSerialization.jsonObject(with: JSONEncoder().encode(event)) as? [String: Any])

      for field in fields.keys {
        #expect(throws: RefusingEncoder.Refusal.self, "\(field) of \(event)") {
          try event.encode(to: RefusingEncoder { $0 == field })
        }
      }
    }
  }

  @Test func everyKindOfEventGoesThroughAnEncoder() {
    let words = Set(Self.happenings.map { RunEvent(time: .zero, $0).kind.rawValue })

    #expect(words.count == 14)
  }

  @Test func anErrorComesBackAsItsText() throws {
    let event = RunEvent(
      time: .zero, .attemptFailed("a", attempt: 1, Breakdown(String(repeating: "x", count: 9_999))))

    let copy = try JSONDecoder().decode(RunEvent.self, from: JSONEncoder().encode(event))

    let error = try #require(copy.error as? RecordedError)
    #expect(error.text.count == 2_000)
    #expect(RecordedError(recording: error) == error)
  }

  @Test func theFieldsOfAnEventAreWhatTheyWere() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let reason = SkipReason.conditionFalse(decidedBy: "core")
    let events = [
      RunEvent(time: .microseconds(2), .settled("ping", .skipped(reason), cause: "core")),
      RunEvent(time: .seconds(1), .shutdownBegan(.signal(.terminate))),
    ]

    let text = String(decoding: try encoder.encode(events), as: UTF8.self)

    #expect(
      text
        == #"[{"cause":"core","kind":"settled","outcome":"skipped","pebble":"ping","#
        + #""skipReason":{"decidedBy":"core","kind":"conditionFalse"},"time":2000},"#
        + #"{"kind":"shutdownBegan","reason":{"kind":"signal","signal":15},"time":1000000000}]"#)
  }

  @Test(arguments: [
    #"{"time": 1, "kind": "danced", "pebble": "a"}"#, #"{"kind": "ready", "pebble": "a"}"#,
    #"{"time": 1, "kind": "ready"}"#,
    #"{"time": 1, "kind": "settled", "pebble": "a", "outcome": "slept"}"#,
    #"{"time": 1, "kind": "settled", "pebble": "a", "outcome": "skipped", "#
      + #""skipReason": {"kind": "bored"}}"#,
    #"{"time": 1, "kind": "shutdownBegan", "reason": {"kind": "bored"}}"#, "[]",
  ])
  func whatIsNoEventIsAnErrorOfDecoding(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(RunEvent.self, from: Data(text.utf8))
    }
  }

  /// Checks that the error names the unknown word, cut to 60 characters because the word can be of
  /// any length.
  @Test func anUnknownWordIsNamed() {
    let word = String(repeating: "x", count: 61)
    let shown = "\"\(word.prefix(59))…\""
    for (fields, sentence) in [
      (#""kind": "\#(word)""#, "there is no event of the kind \(shown)"),
      (#""kind": "settled", "outcome": "\#(word)""#, "no pebble ends as \(shown)"),
    ] {
      let text = #"{"time": 1, "pebble": "a", \#(fields)}"#

      let error = #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(RunEvent.self, from: Data(text.utf8))
      }

      guard case .dataCorrupted(let context)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(context.debugDescription == sentence)
    }
  }

  @Test func aStatusComesBackAsItWas() throws {
    let states: [RunStatus.State.Detail] = [
      .waiting(for: ["a", "b"]), .ready(behind: []),
      .ready(behind: RunStatus.Limit.Kind.allCases.map { RunStatus.Limit($0, "n") }),
      .ready(behind: [RunStatus.Limit(.maxConcurrent)]),
      .running(since: .nanoseconds(12), attempt: 3), .succeeded(),
      .succeeded(isKept: true), .failed(RecordedError("late")),
      .skipped(.stalled(waitingOn: ["a"])),
    ]
    for phase in RunStatus.Phase.allCases {
      let status = RunStatus(
        phase: phase, running: [.init(name: "x", since: .seconds(2))],
        pebbles: states.map { RunStatus.Pebble(name: "p", state: RunStatus.State($0)) } + [
          RunStatus.Pebble(
            name: "p", state: RunStatus.State(.succeeded()),
            times: .init(ready: .nanoseconds(1), started: .nanoseconds(2), finished: .seconds(3)),
            cause: "q",
            attempts: [
              .init(started: .zero, finished: .seconds(1), error: RecordedError("no")),
              .init(started: .seconds(2), finished: .seconds(3), error: nil),
            ])
        ],
        settled: 3, total: 8, elapsed: .milliseconds(5))

      let copy = try JSONDecoder().decode(RunStatus.self, from: JSONEncoder().encode(status))

      #expect(copy == status)
    }
  }

  @Test func theFieldsOfAStatusAreWhatTheyWere() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let status = RunStatus(
      phase: .booting, running: [.init(name: "x", since: .nanoseconds(2))],
      pebbles: [
        .init(name: "x", state: .init(.running(since: .nanoseconds(2), attempt: 1))),
        .init(name: "y", state: .init(.waiting(for: ["x"]))),
      ],
      settled: 0, total: 2, elapsed: .nanoseconds(5))

    let text = String(decoding: try encoder.encode(status), as: UTF8.self)

    #expect(
      text
        == #"{"elapsed":5,"pebbles":[{"name":"x","state":{"attempt":1,"kind":"running","#
        + #""since":2}},"#
        + #"{"name":"y","state":{"kind":"waiting","waitingFor":["x"]}}],"phase":"booting","#
        + #""running":[{"name":"x","since":2}],"settled":0,"total":2}"#)
  }

  @Test(arguments: [
    #""asleep""#, #"{"kind": "asleep"}"#, #"{"kind": "limit", "name": "x"}"#,
  ])
  func whatIsNoPartOfAStatusIsAnErrorOfDecoding(text: String) {
    let data = Data(text.utf8)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(RunStatus.Phase.self, from: data)
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(RunStatus.State.self, from: data)
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(RunStatus.Limit.self, from: data)
    }
  }
}
