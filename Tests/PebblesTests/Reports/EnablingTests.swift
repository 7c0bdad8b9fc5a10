import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct EnablingTests {
  private let pond = Pond("enabling")
  private let a: Pebble<Void>
  private let b: Pebble<Void>
  private let c: Pebble<Void>
  private let last: Pebble<Void>

  init() {
    a = pond.pebble("a") {}
    b = pond.pebble("b") {}
    c = pond.pebble("c") {}
    last = pond.pebble("last") {}
  }

  private func names(deciding pebble: Pebble<Void>, in run: OrderedRun) -> [String] {
    run.enabling.pebbles(deciding: Int(pebble.reference.index)).map { run.pond.graph.names[$0] }
  }

  @Test func pebbleWithoutConditionIsEnabledByNobody() {
    var run = OrderedRun(pond)
    run.finish()

    #expect(names(deciding: a, in: run) == [])
  }

  @Test func anAndIsDueToAllItsOperands() {
    last.ready = a.succeeded && b.failed && c.settled

    var run = OrderedRun(pond)
    run.end(c)
    run.end(b, succeeding: false)
    run.end(a, last)

    #expect(names(deciding: last, in: run) == ["a", "b", "c"])
  }

  @Test func anOrIsDueToItsFirstTrueOperand() {
    last.ready = a.succeeded || b.succeeded || c.succeeded

    var run = OrderedRun(pond)
    run.end(c, succeeding: false)
    run.end(b, a, last)

    #expect(names(deciding: last, in: run) == ["b"])
  }

  @Test func anAndInsideAnOrCountsFromItsLastOperand() {
    last.ready = (a.succeeded && c.succeeded) || b.succeeded

    var run = OrderedRun(pond)
    run.end(a, b, c, last)
    #expect(names(deciding: last, in: run) == ["b"])

    var other = OrderedRun(pond)
    other.end(a, c, b, last)
    #expect(names(deciding: last, in: other) == ["a", "c"])
  }

  @Test func anOrInsideAnAndCountsFromItsFirstOperand() {
    last.ready = (a.succeeded || b.succeeded) && c.succeeded

    var run = OrderedRun(pond)
    run.end(b, a, c, last)

    #expect(names(deciding: last, in: run) == ["b", "c"])
  }

  @Test func negationsAndLabelsChangeNothing() {
    last.ready = !(a.failed || b.failed.labeled("no network")).labeled("offline") || c.failed

    var run = OrderedRun(pond)
    run.end(b, a)
    run.end(c, succeeding: false)
    run.end(last)

    #expect(names(deciding: last, in: run) == ["a", "b"])
  }

  @Test func ofOperandsDecidedByTheSamePebbleOneCounts() {
    last.ready = (a.succeeded && c.succeeded) || (b.succeeded && c.succeeded)

    var run = OrderedRun(pond)
    run.end(a, b, c, last)

    #expect([["a", "c"], ["b", "c"]].contains(names(deciding: last, in: run)))
  }

  @Test func constantThatDecidesLeavesNobody() {
    last.ready = a.succeeded || .always
    let inside = pond.pebble("inside", when: (b.succeeded || .always).labeled("l") && a.settled) {}
    let never = pond.pebble("never", when: a.succeeded && .never) {}

    var run = OrderedRun(pond)
    run.finish()

    #expect(names(deciding: last, in: run) == [])
    #expect(names(deciding: inside, in: run) == ["a"])
    #expect(names(deciding: never, in: run) == [])
  }

  @Test func sharedGateCountsForEachOfItsUsers() {
    let many = (0..<20).map { pond.pebble("p\($0)") {} }
    let shared = Condition.any(many.map(\.succeeded))
    last.ready = shared && a.succeeded
    let other = pond.pebble("other", when: shared && b.succeeded) {}

    var run = OrderedRun(pond)
    run.end(many[7])
    run.finish()

    #expect(names(deciding: last, in: run) == ["a", "p7"])
    #expect(names(deciding: other, in: run) == ["b", "p7"])
  }

  @Test func pebbleSkippedByItsConditionIsPutDownToWhatMadeItFalse() {
    last.ready = (a.failed || b.failed) && c.succeeded

    var run = OrderedRun(pond)
    run.end(a, b)
    run.end(c, succeeding: false)

    #expect(names(deciding: last, in: run) == ["a", "b"])

    var other = OrderedRun(pond)
    other.end(a)
    other.end(c, succeeding: false)
    other.end(b)

    #expect(names(deciding: last, in: other) == ["c"])
  }

  @Test func cycleOpenedByAnOrIsPutDownToWhatOpenedIt() {
    last.ready = a.succeeded || b.succeeded
    b.ready = last.succeeded

    var run = OrderedRun(pond)
    run.end(a, last, b)

    #expect(names(deciding: last, in: run) == ["a"])
    #expect(names(deciding: b, in: run) == ["last"])
  }

  @Test func cycleAndCancellationArePutDownToNobody() {
    a.ready = b.succeeded && c.succeeded
    b.ready = a.succeeded
    last.ready = a.skipped

    var run = OrderedRun(pond)
    run.finish()
    var cancelled = OrderedRun(pond)
    cancelled.end(c)
    cancelled.cancel()

    #expect(names(deciding: a, in: run) == [])
    #expect(names(deciding: last, in: run) == ["a"])
    #expect(names(deciding: b, in: cancelled) == [])
    #expect(names(deciding: last, in: cancelled) == [])
  }

  @Test func nestingAndSharingCostNeitherStackNorTime() {
    let shared = Condition.all((0..<300).map { pond.pebble("p\($0)") {}.succeeded })
    var deep = a.succeeded
    for _ in 0..<50_000 { deep = ((deep && b.succeeded).labeled("deep") || c.failed) }
    last.ready = deep
    let many = (0..<300).map { pond.pebble("q\($0)", when: shared) {} }

    var run = OrderedRun(pond)
    run.finish()

    #expect(names(deciding: last, in: run) == ["a", "b"])
    #expect(names(deciding: many[0], in: run).count == 300)
  }
}
