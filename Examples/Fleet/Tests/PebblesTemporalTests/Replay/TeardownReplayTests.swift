import Foundation
import Pebbles
import PebblesAnalysis
import TemporalWire
import Testing

@testable import PebblesTemporal

/// Tests for runs that are cancelled and torn down.
@Suite(.timeLimit(.minutes(10))) struct TeardownReplayTests {
  private let pond = Pond("nightly")

  /// Defines the chain `fetch` ─▶ `store` ─▶ `publish`, and an independent pebble `lock`. All
  /// pebbles except `publish` have a teardown.
  private func chain() -> Pond {
    let fetch = pond.pebble("fetch", teardown: { _ in }) { [1] }
    let store = pond.pebble("store", needs: fetch, teardown: { _ in }) { $0.count }
    pond.pebble("publish", needs: store) { _ in }
    pond.pebble("lock", teardown: {}) {}
    return pond
  }

  /// Creates the history of a run that was cancelled after all pebbles except `publish` had
  /// succeeded.
  private func cancelled(_ change: (inout RunSettings) -> Void = { _ in }) throws -> HistoryMaker {
    let history = try HistoryMaker(chain(), change)
    try history.decide()  // 1 s, 2 s
    try history.succeed("fetch", "[1]")  // 3 s
    try history.succeed("lock")  // 4 s
    try history.decide()  // 5 s
    try history.succeed("store", "7")  // 6 s
    try history.decide()  // 7 s
    try history.requestCancel()  // 8 s
    #expect(try history.decide() == ["cancel"])  // 9 s
    return history
  }

  @Test func whatHasSucceededIsUndoneOnceNothingRuns() throws {
    let history = try cancelled()
    #expect(try history.decide() == [])
    try history.cancelled("publish")  // 10 s

    #expect(try history.decide() == ["teardown of store", "teardown of lock"])  // 11 s, 12 s
    #expect(try history.decide() == [])
    #expect(history.replay.status.tearingDown == ["store", "lock"])
    try history.succeed("teardown of lock")  // 13 s
    #expect(try history.decide() == [])
    try history.start("teardown of store", attempt: 2, after: "its worker was lost")  // 14 s
    try history.succeed("teardown of store")  // 15 s
    #expect(try history.decide() == ["teardown of fetch"])  // 16 s
    #expect(try history.anew().decisions().isEmpty)
    try history.succeed("teardown of fetch")  // 17 s

    #expect(try history.decide() == ["cancelled"])
    #expect(history.replay.status.tornDown == 3)
    let run = try #require(history.replay.recorded())
    #expect(
      run.shutdown
        == RecordedShutdown(
          duration: .seconds(7),
          teardowns: [
            RecordedTeardown(pebble: 3, started: .seconds(2), finished: .seconds(3)),
            RecordedTeardown(pebble: 1, started: .seconds(4), finished: .seconds(5)),
            RecordedTeardown(pebble: 0, started: .seconds(6), finished: .seconds(7)),
          ]))
    #expect(try RecordedRun(json: run.json()).shutdown == run.shutdown)
    #expect(try run.exitCode == 0)
  }

  @Test func aTeardownIsHandedTheOutputOfItsPebble() throws {
    let history = try cancelled { $0.failingOnLoss = ["lock"] }
    try history.cancelled("publish")
    try history.decide()

    let store = try #require(history.scheduled["teardown of store"]).body
    #expect(store.manifest.isTeardown == true)
    #expect(try store.manifest.outcomes(store.outputs) == ["store": .succeeded(Array("7".utf8))])
    #expect(store.timeout == nil && store.isCalledAgain)
    let lock = try #require(history.scheduled["teardown of lock"]).body
    #expect(try lock.manifest.outcomes(lock.outputs) == ["lock": .succeeded(nil)])
    #expect(!lock.isCalledAgain)
  }

  @Test func aTeardownThatFailsIsReportedAndHoldsNothingUp() throws {
    let history = try cancelled()
    try history.cancelled("publish")
    try history.decide()
    try history.fail("teardown of store", "the disk is full")
    try history.lose("teardown of lock")
    #expect(try history.decide() == ["teardown of fetch"])
    try history.succeed("teardown of fetch")

    #expect(
      try history.decide() == [
        "failed: store could not be torn down: the disk is full\n"
          + "lock could not be torn down: its worker was lost"
      ])
    let run = try #require(history.replay.recorded())
    #expect(
      run.shutdown?.failures.map(\.error) == ["the disk is full", "its worker was lost"])
    #expect(try run.exitCode == 1)
  }

  @Test func aPolicyAndADeadlineUndoToo() throws {
    let strict = Pond("strict", onFailure: .cancelAll)
    let open = strict.pebble("open", teardown: {}) {}
    strict.pebble("load", when: open.succeeded, teardown: {}) {}
    let history = try HistoryMaker(strict)
    try history.decide()
    try history.succeed("open")
    try history.decide()
    try history.fail("load", "no route")

    #expect(try history.decide() == ["teardown of open"])
    try history.fail("teardown of open", "it is in use")
    let end = try #require(try history.decide().first)
    #expect(end.contains("no route"))
    #expect(end.hasSuffix("open could not be torn down: it is in use"))

    let late = try HistoryMaker(chain()) { $0.within = 60_000 }
    try late.decide()
    try late.succeed("lock")
    try late.fireDeadline()
    try late.decide()
    // It was too late to be cancelled.
    try late.succeed("fetch", "[1]")
    #expect(try late.decide() == ["teardown of fetch", "teardown of lock"])
  }

  @Test func aRunThatWasNotCancelledIsLeftAsItIs() throws {
    let history = try HistoryMaker(chain())
    try history.decide()
    try history.fail("fetch", "no route")
    try history.succeed("lock")

    #expect(try history.decide().first?.hasPrefix("failed: ") == true)
    #expect(history.replay.recorded()?.shutdown == nil)
  }

  @Test func noMoreIsUndoneAtATimeThanTheServerTakes() throws {
    let wide = Pond("wide", onFailure: .cancelAll)
    for number in 0..<5 { wide.pebble("\(number)", teardown: {}) {} }
    wide.pebble("last") {}
    let history = try HistoryMaker(wide) { $0.mostPending = 2 }
    for number in [0, 2, 4] {
      try history.decide()
      if number < 4 { try history.succeed("\(number)") }
      try history.succeed(number < 4 ? "\(number + 1)" : "4")
    }
    try history.fail("last", "no route")

    #expect(try history.decide().count == 2)
    #expect(try history.decide() == [])
  }

  @Test func namesLikeThoseOfTeardownsAreOnlyNames() throws {
    let odd = Pond("odd")
    odd.pebble("a", teardown: {}) {}
    let same = odd.pebble("teardown of a", teardown: {}) {}
    odd.pebble("wait", when: same.succeeded) {}
    let history = try HistoryMaker(odd)
    try history.decide()
    try history.succeed("a")
    try history.succeed("teardown of a")
    try history.decide()
    try history.requestCancel()
    try history.decide()
    try history.cancelled("wait")

    #expect(
      try history.decide().sorted() == ["teardown of a", "teardown of teardown of a"])
    for name in ["a", "teardown of a"] { try history.succeed("teardown of \(name)") }
    #expect(try history.decide() == ["cancelled"])
    #expect(history.replay.recorded()?.shutdown?.teardowns.map(\.pebble).sorted() == [0, 1])
  }

  @Test func aTeardownThatIsNoneIsRefused() throws {
    let history = try cancelled()
    try history.cancelled("publish")

    for activity in ["fetch", "teardown of fetch", "teardown of publish", "teardown of x"] {
      let replay = try history.anew()
      var event = TemporalHistoryEvent()
      event.eventID = replay.lastEvent + 1
      event.activityTaskScheduledEventAttributes.activityID = activity
      #expect(throws: ReplayError.self, "\(activity)") { try replay.apply(event) }
    }
  }
}
