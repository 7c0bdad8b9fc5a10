import Pebbles
import Testing

@testable import PebblesAnalysis

/// Tests of the pebbles that are certain to have settled when a condition is decided.
@Suite struct SettledBeforeTests {
  /// Checks a chain with more pebbles than two machine words have bits.
  @Test func inAChainAllBeforeAPebbleHaveSettled() throws {
    let pond = Pond("chain")
    var last = pond.pebble("0") {}
    for number in 1..<150 { last = pond.pebble("\(number)", when: last.succeeded) {} }
    let circuit = Circuit(try pond.model().pond)
    let settled = try #require(SettledBefore(circuit, circuit.order, optional: []))

    for pebble in 0..<150 {
      let known = settled.settled(when: .init(pebble, .completed))

      #expect(
        (0..<150).allSatisfy { other in
          settled.mentioned(by: .init(other, .succeeded)).isSubset(of: known) == (other <= pebble)
        })
    }
  }

  @Test func anOrIsSureOfWhatEachOperandWaitsFor() throws {
    let pond = Pond("boot")
    let ping = pond.pebble("ping") {}
    let cache = pond.pebble("cache", when: ping.succeeded) {}
    let load = pond.pebble("load", when: ping.failed) {}
    let condition = (cache.succeeded || load.succeeded).labeled("either")
    pond.pebble("show", when: condition) {}
    pond.pebble("log", when: condition && ping.completed) {}
    let circuit = Circuit(try pond.model().pond)
    let settled = try #require(SettledBefore(circuit, circuit.order, optional: []))

    func names(when signal: Circuit.Signal) -> [Int] {
      let known = settled.settled(when: signal)
      return circuit.network.pebbleRange.filter {
        settled.mentioned(by: .init($0, .settled)).isSubset(of: known)
      }
    }

    #expect(names(when: .init(3, .completed)) == [0, 3])
    #expect(names(when: .init(3, .skipped)) == [0, 1, 2, 3])
    #expect(names(when: .init(4, .completed)) == [0, 4])
    #expect(names(when: .init(4, .skipped)) == [0, 1, 2, 4])
  }

  /// Checks a pebble that may be disabled. If it is disabled, it is skipped at once, before the
  /// pebble that it needs has settled.
  @Test func aPebbleThatMayBeDisabledIsSkippedBeforeWhatItWaitsForHasSettled() throws {
    let pond = Pond("boot")
    let token = pond.pebble("token") {}
    let sync = pond.pebble("sync", .enabled { true }, when: token.succeeded) {}
    pond.pebble("late", when: sync.skipped && token.settled) {}
    let circuit = Circuit(try pond.model().pond)

    func isTokenSettled(when outcomes: OutcomeSet, optional: Set<Int>) throws -> Bool {
      let settled = try #require(SettledBefore(circuit, circuit.order, optional: optional))
      return settled.mentioned(by: .init(0, .settled))
        .isSubset(of: settled.settled(when: .init(1, outcomes)))
    }

    #expect(try isTokenSettled(when: .skipped, optional: []))
    #expect(try !isTokenSettled(when: .skipped, optional: [1]))
    #expect(try isTokenSettled(when: .completed, optional: [1]))
    #expect(pond.lint().of(.redundant).isEmpty)
  }
}

extension ReadinessNetwork {
  fileprivate var pebbleRange: Range<Int> { 0..<pebbleCount }
}
