import Foundation
import Pebbles
import PebblesAnalysis
import PebblesDurable
import Testing

@testable import PebblesTemporal

/// Tests with random ponds, whose bodies are called with the inputs that a replay provides.
@Suite(.timeLimit(.minutes(10))) struct RandomReplayTests {
  /// Checks that a run based on a history has the same outcomes as a local run, regardless of the
  /// order in which bodies end. A worker that takes over the run at any event must make the same
  /// decisions.
  @Test(arguments: 0..<4) func aHistoryAgreesWithALocalRun(shard: UInt64) async throws {
    var generator = SeededGenerator(seed: shard)
    for number in 0..<50 {
      let pond = randomPond(seed: shard * 1_000 + UInt64(number))
      let history = try HistoryMaker(pond)
      var ending: [String] = []
      while true {
        let words = try history.decide()
        if history.replay.scheduler.isFinished {
          ending = words
          break
        }
        #expect(try history.anew().decisions().isEmpty)
        let running = history.scheduled.keys.sorted()
        let pebble = try #require(running.randomElement(using: &generator))
        try await call(pebble, of: pond, history)
      }
      let again = try history.anew()
      #expect(again.decisions().map(\.words) == ending)
      #expect(again.recorded()?.pebbles == history.replay.recorded()?.pebbles)

      let expected = try await pond.run().recorded()
      let run = try #require(history.replay.recorded())
      // What a policy cancels depends on what ran at that moment, also in local runs.
      if run.cancellation == nil {
        #expect(
          run.pebbles.map(\.outcome.word) == expected.pebbles.map(\.outcome.word), "\(pond)")
        #expect(run.pebbles.map(\.cases) == expected.pebbles.map(\.cases), "\(pond)")
        #expect(try run.isGoalReached == expected.isGoalReached, "\(pond)")
      }
    }
  }

  private func call(_ pebble: String, of pond: Pond, _ history: HistoryMaker) async throws {
    let body = try #require(history.scheduled[pebble]).body
    let inputs = try body.manifest.outcomes(body.outputs)
    var attempt = 1
    while true {
      let result = try await pond.attempt(
        .named(pebble), number: attempt, inputs: inputs, coder: JSONOutputs())
      try history.start(pebble, attempt: Int32(attempt))
      switch result {
      case .succeeded(let output, let cases):
        return try history.succeed(
          pebble, output.map { String(decoding: $0, as: UTF8.self) }, cases: cases)
      case .failed(let failure) where failure.retryAfter == nil:
        return try history.fail(pebble, "\(failure.error)", cases: failure.cases)
      case .failed:
        attempt += 1
      }
    }
  }
}

extension RecordedOutcome {
  /// The outcome as a word, without details that depend on the order in which pebbles settled.
  var word: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .skipped(let reason): reason.isConditionFalse ? "skipped" : "\(reason)"
    }
  }
}
