import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of the waits in a stall, from which those that are not needed for the explanation are
/// omitted.
@Suite struct CycleTests {
  @Test func twoPebblesThatWaitForEachOther() throws {
    let pond = Pond("boot")
    let a = pond.pebble("a") {}
    let b = pond.pebble("b", when: a.succeeded) {}
    let after = pond.pebble("after", when: b.succeeded) {}
    a.ready = b.succeeded

    #expect(
      try pond.why(after).description == """
        after was blocked
        └─ needs b to succeed, but it was blocked in a stall
           ├─ b waits for a
           └─ a waits for b
        """)
    #expect(
      try pond.why(a).sentence == "a was blocked in a stall: a waits for b, b waits for a")
  }

  @Test func pebbleThatWaitsForItself() throws {
    let pond = Pond("boot")
    let a = pond.pebble("a") {}
    a.ready = a.succeeded

    #expect(try pond.why(a).sentence == "a was blocked in a stall: a waits for itself")
  }

  @Test func shortestCycleIsShown() throws {
    let pond = Pond("boot")
    let pebbles = (0..<6).map { pond.pebble("p\($0)") {} }
    for index in 0..<6 { pebbles[index].ready = pebbles[(index + 1) % 6].succeeded }
    pebbles[3].ready = pebbles[4].succeeded && pebbles[2].succeeded

    #expect(
      try pond.why(pebbles[2]).nodes[0].waits.map(\.clause) == [
        "p2 waits for p3", "p3 waits for p2",
      ])
    #expect(try pond.why(pebbles[0]).nodes[0].waits.count == 6)
  }

  @Test func orNeedsAllItWaitsForToBeStuck() throws {
    let pond = Pond("boot")
    let a = pond.pebble("a") {}
    let b = pond.pebble("b") {}
    let c = pond.pebble("c") {}
    let d = pond.pebble("d") {}
    a.ready = b.succeeded || c.succeeded
    b.ready = a.succeeded && d.succeeded
    c.ready = d.succeeded
    d.ready = a.succeeded

    #expect(
      try pond.why(a).nodes[0].waits.map(\.clause) == [
        "a waits for b or c", "b waits for a", "c waits for d", "d waits for a",
      ])
  }

  @Test func whatWasDecidedBeforeIsNotWaitedFor() throws {
    let pond = Pond("boot")
    let ok = pond.pebble("ok") {}
    let bad = pond.pebble("bad") {}
    let a = pond.pebble("a") {}
    let b = pond.pebble("b") {}
    a.ready = ok.succeeded && (bad.succeeded || b.succeeded)
    b.ready = a.succeeded || bad.succeeded

    #expect(
      try pond.why(a, given: [.fails(bad)]).sentence
        == "a was blocked in a stall: a waits for b, b waits for a")
  }

  @Test func longCycleIsCutShort() throws {
    let pond = Pond("boot")
    let pebbles = (0..<1_000).map { pond.pebble("p\($0)") {} }
    for index in pebbles.indices { pebbles[index].ready = pebbles[(index + 1) % 1_000].settled }

    let why = try pond.why(pebbles[0])

    #expect(why.nodes[0].waits.count == 20)
    #expect(why.nodes[0].elidedWaits == 980)
    #expect(why.description.hasSuffix("\n└─ … and 980 more wait for each other"))
    #expect(why.sentence.hasSuffix("p3 waits for p4, 996 more wait for each other"))
  }

  /// Checks that for each pebble shown, the pebbles that it waits for are shown as well, and that
  /// all of them stalled.
  @Test func shownCycleIsEnoughInRandomPonds() throws {
    var generator = SeededGenerator(seed: 9_100)
    var cycleCount = 0
    for _ in 0..<600 {
      let pond = ReferencePond.random(
        mostPebbles: 8, withCases: Bool.random(using: &generator), using: &generator)
      let run = try pond.simulated(using: &generator)
      for (position, pebble) in run.pebbles.enumerated() {
        guard case .skipped(let reason) = pebble.outcome, reason.isStalled else { continue }
        cycleCount += 1
        let waits = try #require(try run.why(at: position)).nodes[0].waits
        let members = Set(waits.map(\.pebble))
        #expect(waits.first?.pebble == pebble.name)
        #expect(Set(waits.flatMap(\.awaited)).isSubset(of: members))
        #expect(Set(waits[0].awaited).isSubset(of: reason.waitingOn))
        #expect(waits.allSatisfy { !$0.awaited.isEmpty })
        for member in members {
          let record = try #require(run.pebbles.first { $0.name == member })
          guard case .skipped(let reason) = record.outcome, reason.isStalled else {
            Issue.record("\(member) is in a cycle, but \(record.outcome):\n\(pond)")
            return
          }
        }
      }
    }
    #expect(cycleCount > 100)
  }
}
