import Pebbles
import Testing

@testable import PebblesTemporal

/// Tests for runs whose history would exceed the size limit of the server.
@Suite struct OutgrownHistoryTests {
  /// Creates the history of a run in which an output of twelve bytes will be sent to two bodies and
  /// to a teardown. The pebble's name adds an estimated 2 · 54 bytes to the input of each body.
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
    let (fits, doesNot) = (try history(largest: 352), try history(largest: 351))
    for history in [fits, doesNot] { try history.noteSize(100) }

    #expect(try fits.decide() == ["first", "second"])
    #expect(try doesNot.decide() == ["teardown of load"])
  }

  @Test func whatHasBeenHandedOnIsInTheHistoryAlready() throws {
    for (size, next) in [(340, "after"), (341, "teardown of load")] {
      let history = try history(largest: 352)
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

  /// Checks that running bodies are cancelled early enough for teardowns, even if no further bodies
  /// need to be called.
  @Test func whatRunsIsCancelledIfTeardownsNeedTheRoom() throws {
    let history = try history(largest: 1_000)
    try history.noteSize(100)
    try history.decide()
    try history.noteSize(989)
    #expect(try history.decide() == ["cancel", "cancel"])
    try history.cancelled("first")
    try history.succeed("second")
    #expect(try history.decide() == ["teardown of load"])
    try history.succeed("teardown of load")

    let run = try #require(history.replay.recorded())
    #expect(run.pebbles[1].outcome.text?.hasPrefix("it was cancelled, as the history") == true)
    #expect(try run.exitCode == 1)
  }

  /// Checks that the reason for the cancellation is reported even if the body that was chosen to
  /// report it succeeds. That body must not be recorded as failed.
  @Test func itSaysWhyEvenIfWhatRanHasSucceeded() throws {
    let history = try history(largest: 1_000)
    try history.noteSize(100)
    try history.decide()
    try history.noteSize(989)
    try history.decide()
    try history.succeed("first")
    try history.succeed("second")
    #expect(try history.decide() == ["teardown of load"])
    try history.succeed("teardown of load")

    let problem = try #require(try history.decide().first)
    #expect(problem.contains("its journal would grow too large, as the history of the run has"))
    #expect(!problem.contains("first failed"))
    let run = try #require(history.replay.recorded())
    #expect(run.failures.isEmpty)
    #expect(try run.exitCode == 1)
  }

  /// Checks that a running body is not cancelled if no further bodies or teardowns are to be
  /// started. No more room is then needed, and a cancellation would be useless.
  @Test func aRunThatHasNothingMoreToStartIsLeftAsItIs() throws {
    let pond = Pond("plain")
    pond.pebble("only") {}
    let history = try HistoryMaker(pond) { $0.largestHistory = 1_000 }
    try history.noteSize(100)
    try history.decide()
    try history.noteSize(.max)
    #expect(try history.decide() == [])
    try history.succeed("only")
    try history.noteSize(.max)

    #expect(try history.decide() == ["completed"])
  }
}

extension HistoryMaker {
  /// Adds the event of a task for which the server reports the given size of the history.
  fileprivate func noteSize(_ bytes: Int) throws {
    try note { $0.workflowTaskStartedEventAttributes.historySizeBytes = Int64(bytes) }
  }
}
