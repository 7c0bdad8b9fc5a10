import Foundation
import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the state in which a run records the progress of its pebbles.
@Suite(.watched) struct ReadinessStateTests {
  private let pond = Pond("state")

  @Test func aPebbleIsNotTakenToHaveDecidedItself() {
    let first = pond.pebble("first") {}
    let other = pond.pebble("other") {}
    first.ready = other.succeeded || first.succeeded
    var run = OrderedRun(pond)
    run.finish()
    let state = run.storage.state

    state.note([0: 0], among: run.pond.operands) { _, _ in true }

    #expect(state.decider(ofGate: 0) == 1)
    #expect(state.cause(of: 0) == 1)
  }

  @Test func anotherDeciderIsNotedForAPartOfACondition() throws {
    let first = pond.pebble("first") {}
    let other = pond.pebble("other") {}
    let last = pond.pebble("last") {}
    pond.pebble("reader", when: (first.succeeded || other.succeeded) && last.succeeded) {}
    var run = OrderedRun(pond)
    run.finish()
    let state = run.storage.state
    let part = try #require(
      (4..<state.network.rowCount).first { state.decider(ofGate: $0) == 0 })

    state.note([part: 1], among: run.pond.operands) { _, _ in true }

    #expect(state.decider(ofGate: part) == 1)
  }

  @Test func positionsInTheOrderOfSettlingCountFromOne() throws {
    for number in 0..<5 { pond.pebble("p\(number)") {} }
    var run = OrderedRun(pond)
    run.finish(choosing: { $0.last ?? 0 })

    let order = try #require(run.storage.state.settleLog?.order)

    #expect(order.pebbles == [5, 4, 3, 2, 1])
  }

  @Test func asManyOperandsAreLookedAtAsMayBe() {
    let awaited = (0..<4).map { pond.pebble("p\($0)") {} }
    pond.pebble("last", when: .all(awaited.map(\.succeeded))) {}
    let run = OrderedRun(pond)
    let waits = PebbleWaitGraph(run.storage.state, run.pond.operands)

    let found = (0...5).map { waits.pebbles(awaitedBy: 4, atMost: 9, lookingAtMost: $0) }

    #expect(found == [[], [0], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3]])
    #expect(waits.pebbles(awaitedBy: 4, atMost: 2) == [0, 1])
  }

  /// Checks that a pebble is shown as running until its cases are known. Otherwise, a failure could
  /// be reported before its cases.
  @Test(arguments: [PebbleStatus.succeeded, .failed])
  func aPebbleIsShownAsRunningUntilItsCasesAreKnown(status: PebbleStatus) {
    let load = pond.pebble("load") {}
    pond.pebble("other") {}
    pond.pebble("unlock", when: load.failed("locked") { _ in true }) {}
    let state = RunStorage(pond.program().pond).state
    for pebble in 0..<2 { state.assume(status, of: pebble) }
    state.assume(.skippedAsDisabled, of: 2)
    var run = OrderedRun(pond)
    run.finish(succeeding: { _ in status == .succeeded })

    #expect((0..<3).map(state.statusWithCases(of:)) == [.running, status, .skippedAsDisabled])
    #expect(run.storage.state.statusWithCases(of: 0) == status)
  }

  /// Checks that the cases of a pebble become visible all at once, while another thread keeps
  /// reading them.
  @Test func theCasesOfAPebbleAreSeenAllAtOnceOrNotAtAll() {
    let load = pond.pebble("load") {}
    for number in 0..<CaseList.most {
      pond.pebble("p\(number)", when: load.succeeded("\(number)") { _ in true }) {}
    }
    let program = pond.program().pond
    for _ in 0..<100 {
      let state = RunStorage(program).state
      Thread.detachNewThread {
        var decisions = Decisions()
        state.begin(into: &decisions)
        state.pebbleStarted(0, at: 0)
        state.pebbleFinished(
          0, succeeded: true, cases: CaseSet(bits: .max), at: 1, into: &decisions)
      }

      var count = 0
      var counts: Set<Int> = []
      repeat {
        count = state.cases(of: 0).count
        counts.insert(count)
      } while !state.status(of: 0).isSettled || count < CaseList.most && count > 0

      #expect(counts.isSubset(of: [0, CaseList.most]))
    }
  }
}
