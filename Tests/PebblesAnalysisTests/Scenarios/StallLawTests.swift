import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of ponds in which a failure cancels the run and some pebbles wait for each other. A stall
/// is resolved only if the run comes to rest and has not been cancelled by then.
@Suite(.watched) struct StallLawTests {
  private let pond = Pond("boot", onFailure: .cancelAll)

  /// Adds two pebbles that wait for each other, and a third one, `recover`, that waits for their
  /// stall.
  private func recovery() -> (one: Pebble<Void>, recover: Pebble<Void>) {
    let one = pond.pebble("one") {}
    let other = pond.pebble("other", when: one.succeeded) {}
    one.ready = other.succeeded
    return (one, pond.pebble("recover", when: one.skipped) {})
  }

  @Test func whatWaitsForAStallDoesNotRunAfterAFailure() async throws {
    let fetch = pond.pebble("fetch") { throw Breakdown() }
    let recover = recovery().recover
    let both = fetch.failed && recover.completed
    let scenarios = try pond.scenarios()

    #expect(try scenarios.check(.never(both)).verdict == .kept)
    #expect(try scenarios.check(.implies(recover.completed, fetch.succeeded)).isKept)
    #expect(try scenarios.smallestFailures(leadingTo: both).sets == [])
    #expect(try scenarios.smallestFailures(leadingTo: recover.skipped).sets == [["fetch"]])
    #expect(try scenarios.occurrence(of: both) == .never)
    #expect(try scenarios.count(where: both) == 0)
    #expect(scenarios.count == 3)
    #expect(scenarios.isExact)
    #expect(try await pond.run().outcome(of: recover).isSkipped)
  }

  @Test func failureBeforeAStallIsToldAsWhatCancelsTheRun() throws {
    let fetch = pond.pebble("fetch") {}
    let recover = recovery().recover

    let ending = try pond.scenarios().ending(failing: [fetch])
    let why = try pond.why(recover, given: [.fails(fetch)])

    #expect(
      "\(ending.table)" == """
        fetch    fails
        one      is cancelled before it starts
        other    is cancelled before it starts
        recover  is cancelled before it starts
        (no pebble handles the failure of fetch, which cancels the run)
        """)
    let found = try pond.scenarios().endings.first { $0 == ending }
    #expect(found?.limitations == ending.limitations)
    #expect(
      why.sentence
        == "recover was skipped: the run was cancelled before it could start: fetch failed")
    #expect(why.limitations == [.failurePolicy])
  }

  /// Checks a failure that comes only after a stall, because the failing pebble waits for the
  /// stall.
  @Test func failureAfterAStallCancelsWhatTheStallHasLetStart() throws {
    let (one, recover) = recovery()
    let beside = pond.pebble("beside", when: one.skipped) {}
    let after = pond.pebble("after", when: recover.succeeded) {}

    let scenarios = try pond.scenarios()

    #expect(try !scenarios.check(.never(recover.failed && beside.completed)).isKept)
    #expect(try !scenarios.check(.implies(recover.failed, beside.completed)).isKept)
    #expect(try scenarios.check(.never(recover.failed && after.completed)).isKept)
    #expect(scenarios.alwaysRun == [])
    #expect(scenarios.sometimesRun == ["recover", "beside", "after"])
  }

  /// Checks that no pebble starts after a stall that leaves a failure unhandled: `help` could have
  /// handled the failure of `fetch`, but is skipped because of the stall.
  @Test func stallThatLeavesAFailureUnhandledLetsNothingStart() throws {
    let fetch = pond.pebble("fetch") {}
    let (one, recover) = recovery()
    pond.pebble("help", when: fetch.failed && one.succeeded) {}

    let scenarios = try pond.scenarios()

    #expect(try scenarios.check(.never(fetch.failed && recover.completed)).isKept)
    #expect(try scenarios.ending(failing: [fetch]).outcome(of: recover) == .cancelled)
  }

  /// Checks a failure that remains open after a stall: the failure of `fetch` can be handled as
  /// long as `recover` may still succeed. The endings then depend on the order in which bodies end.
  @Test func orderDecidesWhereAFailureIsOpenOverAStall() throws {
    let fetch = pond.pebble("fetch") {}
    let (one, recover) = recovery()
    pond.pebble("help", when: fetch.failed && recover.succeeded) {}
    let after = pond.pebble("after", when: recover.failed) {}
    let beside = pond.pebble("beside", when: one.skipped) {}

    let scenarios = try pond.scenarios()
    let law = Law.never(fetch.failed && recover.failed && after.completed)

    // What would handle the failure of `recover` becomes ready at the moment of the cut.
    #expect(try scenarios.check(law).isKept)
    let ending = try scenarios.ending(failing: [fetch, recover])
    #expect(ending.outcome(of: after) == .cancelled)
    #expect(ending.outcome(of: beside) == .succeeded)
    // So what is counted would depend on the order.
    #expect(scenarios.count == nil)
    #expect(scenarios.limitations == [.failurePolicy])
  }

  /// Checks many failures that remain open during a stall. The test would practically never end if
  /// each failure were examined whenever a pebble is skipped.
  @Test func manyFailuresMayBeOpenOverAStall() throws {
    let recover = recovery().recover
    let fetches = (0..<10_000).map { pond.pebble("fetch\($0)") {} }
    let loads = (0..<10_000).map { pond.pebble("load\($0)", when: recover.settled) {} }
    for (number, load) in loads.enumerated() { pond.pebble("retry\(number)", when: load.failed) {} }
    let help = pond.pebble("help", when: .all(fetches.map(\.failed) + loads.map(\.settled))) {}

    let why = try pond.why(help, given: fetches.map { .fails($0) })

    #expect(why.nodes.first?.outcome == .succeeded)
    #expect(why.limitations.isEmpty)
  }

  @Test func longChainsBehindAStallAreFollowed() throws {
    var last = recovery().recover
    let first = last
    for number in 0..<300 { last = pond.pebble("\(number)", when: last.succeeded) {} }

    #expect(try pond.check(.implies(last.completed, first.succeeded))[0].isKept)
  }
}
