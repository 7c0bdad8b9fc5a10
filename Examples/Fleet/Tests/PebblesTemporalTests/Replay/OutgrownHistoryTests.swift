import Pebbles
import Testing

@testable import PebblesTemporal

/// Runs that would outgrow the history that a server keeps.
@Suite struct OutgrownHistoryTests {
  /// Twelve bytes, handed to two bodies, and to a teardown.
  private func history(largest: Int) throws -> HistoryMaker {
    let pond = Pond("large")
    let load = pond.pebble("load", teardown: { (_: String) in }) { "" }
    let first = pond.pebble("first", needs: load) { $0 }
    let second = pond.pebble("second", needs: load) { $0 }
    pond.pebble("after", when: first.completed && second.completed) {}
    let history = try HistoryMaker(pond) { $0.largestHistory = largest }
    try history.noteSize(20)
    try history.decide()
    try history.succeed("load", "\"0123456789\"")
    return history
  }

  @Test func whatIsToBeHandedOnCounts() throws {
    let (fits, doesNot) = (try history(largest: 136), try history(largest: 135))
    for history in [fits, doesNot] { try history.noteSize(100) }

    #expect(try fits.decide() == ["first", "second"])
    #expect(try doesNot.decide() == ["teardown of load"])
  }

  @Test func whatHasBeenHandedOnIsInTheHistoryAlready() throws {
    for (size, next) in [(124, "after"), (125, "teardown of load")] {
      let history = try history(largest: 136)
      try history.noteSize(100)
      try history.decide()
      try history.fail("first", "no route")
      try history.fail("second", "no route")

      // Only the teardown may still come.
      try history.noteSize(size)
      #expect(try history.decide() == [next])
    }
  }

  @Test func itSaysWhyAndIsUndone() throws {
    let history = try history(largest: 42 << 20)
    try history.noteSize(43 << 20)
    try history.decide()
    try history.succeed("teardown of load")

    let problem = try #require(try history.decide().first)
    #expect(problem.contains("first failed: it was not called, as the history of the run has 43"))
    #expect(try history.anew().decisions().map(\.words) == [problem])
    let run = try #require(history.replay.recorded())
    #expect(run.shutdown?.teardowns.map(\.pebble) == [0])
    #expect(try run.exitCode == 1)
    // Nothing follows from the failure, as the run is cancelled for it.
    #expect(run.pebbles.map(\.outcome.word) == ["succeeded", "failed", "cancelled", "cancelled"])
  }

  @Test(arguments: [Int.max, .min]) func sizesWithoutMeaningDoNoHarm(size: Int) throws {
    let history = try history(largest: 1_000)
    try history.noteSize(size)

    #expect(try history.decide().first == (size > 0 ? "teardown of load" : "first"))
  }

  /// What runs is let go on: only what is added counts.
  @Test func aRunThatHasNothingMoreToStartIsLeftAsItIs() throws {
    let history = try history(largest: 1_000)
    try history.noteSize(100)
    try history.decide()
    try history.succeed("first")
    try history.noteSize(.max)
    #expect(try history.decide() == [])
    try history.succeed("second")
    try history.noteSize(200)
    #expect(try history.decide() == ["after"])
    try history.succeed("after")
    try history.noteSize(.max)

    #expect(try history.decide() == ["completed"])
  }
}

extension HistoryMaker {
  /// A decision is due, and the server says how large the history is.
  fileprivate func noteSize(_ bytes: Int) throws {
    try note { $0.workflowTaskStartedEventAttributes.historySizeBytes = Int64(bytes) }
  }
}
