import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of the fields in the document of a run, both required and optional.
@Suite struct RunDocumentTests {
  private let pond = Pond("boot")

  private func run(
    _ load: RecordedPebble, shutdown: RecordedShutdown? = nil
  ) throws -> RecordedRun {
    pond.pebble("load") {}
    return try RecordedRun(
      model: pond.model(), pebbles: [load], makespan: .nanoseconds(9), shutdown: shutdown)
  }

  private func load(
    _ outcome: RecordedOutcome = .succeeded, called attempts: [RecordedAttempt] = [],
    keptFrom: String? = nil
  ) -> RecordedPebble {
    RecordedPebble(
      name: "load", outcome: outcome, ready: .zero, started: .nanoseconds(1),
      finished: .nanoseconds(2), attempts: attempts, keptFrom: keptFrom)
  }

  @Test func shutdownsStandInItAsInTheArticle() throws {
    func inner(_ shutdowns: [NestedShutdown]) -> NestedShutdown {
      let teardown = NestedTeardown(
        pebble: "buffer", started: .nanoseconds(1), finished: .nanoseconds(2), error: "full")
      return NestedShutdown(
        pebble: "load", pondName: "inner", duration: .nanoseconds(3), teardowns: [teardown],
        nested: shutdowns)
    }
    let shutdown = RecordedShutdown(
      reason: "the service web ended", started: .nanoseconds(6), duration: .nanoseconds(7),
      teardowns: [
        RecordedTeardown(
          pebble: 0, started: .nanoseconds(4), finished: .nanoseconds(5), error: "busy")
      ], nested: [inner([inner([])])])

    let text = try run(load(), shutdown: shutdown).json()

    let start =
      #""nested": [{"pebble": "load", "pond": "inner", "duration": 3, "teardowns": "#
      + #"[{"pebble": "buffer", "started": 1, "finished": 2, "error": "full"}]"#
    #expect(
      text.contains(
        #""shutdown": {"reason": "the service web ended", "started": 6, "duration": 7, "#
          + #""teardowns": [{"pebble": 0, "started": 4, "finished": 5, "error": "busy"}], "#
          + #"\#(start), \#(start)}]}]}"#), "\(text)")
  }

  @Test(arguments: [nil, true, false] as [Bool?])
  func itSaysWhetherAGoalWasReached(_ isReached: Bool?) throws {
    let load = pond.pebble("load") {}
    if isReached != nil { pond.goal = load.succeeded }

    let text = try pond.simulated { $0.failures = isReached == false ? [0: "no"] : [:] }.json()

    #expect(text.contains("\"goalReached\"") == (isReached != nil))
    if let isReached { #expect(text.contains("\"goalReached\": \(isReached)")) }
  }

  @Test func theOneCallOfABodyNeedNotStandInIt() throws {
    for outcome in [RecordedOutcome.succeeded, .failed("no")] {
      let call = RecordedAttempt(
        started: .nanoseconds(1), finished: .nanoseconds(2), error: outcome.error)
      let run = try Self().run(load(outcome, called: [call]))

      #expect(!run.json().contains("\"attempts\""))
      #expect(try RecordedRun(json: run.json()).pebbles == run.pebbles)
    }
  }

  @Test func noCallOfABodyStandsInItIfThatWasKept() throws {
    let run = try run(load(keptFrom: "4f1c"))

    #expect(!run.json().contains("\"attempts\""))
    #expect(try RecordedRun(json: run.json()).pebbles == run.pebbles)
  }

  @Test func aBodyThatWasNeverCalledIsSaidToBeSo() throws {
    let run = try run(load())

    #expect(run.json().contains("\"attempts\": []"))
    #expect(try RecordedRun(json: run.json()).pebbles == run.pebbles)
  }
}
