import Testing

@testable import Pebbles
import PebblesTestSupport

@Suite struct PebbleRanksTests {
  private let pond = Pond("ranked")

  @discardableResult
  private func pebble(_ name: String, when condition: Condition = .always) -> Pebble<Void> {
    pond.pebble(name, when: condition) {}
  }

  private var network: ReadinessNetwork { pond.program().pond.network }

  private func paths(_ durations: [UInt64]) -> [UInt64] {
    Array(LongestPaths(network, durations: durations).lengths.prefix(network.pebbleCount))
  }

  // MARK: - Ranks

  @Test func withoutAnythingElseDefinitionOrderCounts() {
    let a = pebble("a")
    pebble("b", when: a.succeeded)
    pebble("c")

    #expect(PebbleRanks(network).ranks == [0, 1, 2])
  }

  @Test func higherPrioritiesGoFirst() {
    for name in ["a", "b", "c", "d", "e"] { pebble(name) }

    let priorities: [UInt32: Int] = [1: 5, 2: -1, 3: .max, 4: .min]

    #expect(PebbleRanks(network, priorities: priorities).ranks == [2, 1, 3, 0, 4])
  }

  @Test func amongEqualPrioritiesTheLongestRemainingPathGoesFirst() {
    pebble("alone")
    let start = pebble("start")
    pebble("end", when: start.succeeded)

    let ranks = PebbleRanks(network, durations: [3, 2, 2]).ranks

    #expect(ranks == [1, 0, 2])
  }

  @Test func priorityCountsBeforeTheRemainingPath() {
    for name in ["a", "b", "c"] { pebble(name) }

    let ranks = PebbleRanks(network, priorities: [0: 1], durations: [1, 5, 9]).ranks

    #expect(ranks == [0, 2, 1])
  }

  @Test func amongEqualPathsDefinitionOrderCounts() {
    for name in ["a", "b", "c"] { pebble(name) }

    #expect(PebbleRanks(network, durations: [7, 7, 7]).ranks == [0, 1, 2])
  }

  @Test func anEmptyPondHasNoRanks() {
    #expect(PebbleRanks(network, priorities: [:], durations: []).ranks.isEmpty)
  }

  // MARK: - Remaining paths

  @Test func theLongestOfSeveralPathsCounts() {
    let start = pebble("start")
    let short = pebble("short", when: start.succeeded)
    let long = pebble("long", when: start.completed)
    pebble("end", when: short.settled || long.failed)

    #expect(paths([1, 2, 30, 400]) == [431, 402, 430, 400])
  }

  @Test func pathsLeadThroughNestedAndLabelledConditions() {
    let a = pebble("a")
    let b = pebble("b")
    pebble("c", when: a.succeeded && (b.failed || (!a.skipped).labeled("there")))

    #expect(paths([1, 2, 10]) == [11, 12, 10])
  }

  @Test func pathsLeadThroughInputs() {
    let a = pebble("a")
    pond.pebble("b", needs: a.result) { _ in }

    #expect(paths([1, 10]) == [11, 10])
  }

  @Test func anEdgeThatClosesACycleDoesNotCount() {
    let a = pebble("a")
    let b = pebble("b", when: a.succeeded)
    let c = pebble("c", when: b.succeeded)
    pebble("d", when: c.succeeded)
    a.ready = c.succeeded || b.failed

    #expect(paths([1, 2, 4, 8]) == [15, 14, 12, 8])
  }

  @Test func aPebbleThatWaitsForItselfHasItsOwnPath() {
    let a = pebble("a")
    a.ready = a.succeeded

    #expect(paths([5]) == [5])
  }

  @Test func sumsThatOverflowStayAtTheGreatestNumber() {
    let a = pebble("a")
    let b = pebble("b", when: a.succeeded)
    pebble("c", when: b.succeeded)

    #expect(paths([.max, .max, 1]) == [.max, .max, 1])
  }

  @Test func missingDurationsCountAsNothingAndExcessOnesNotAtAll() {
    let a = pebble("a")
    pebble("b", when: a.succeeded)

    #expect(paths([]) == [0, 0])
    #expect(paths([1]) == [1, 0])
    #expect(paths([1, 2, 3, 4]) == [3, 2])
  }

  /// Checks ranks against the definition of the longest path, for random conditions over earlier
  /// pebbles.
  @Test func randomPondsWithoutCyclesFollowTheDefinition() {
    var generator = SeededGenerator(seed: 7_000)
    for _ in 0..<300 {
      let pond = Pond("random")
      var pebbles: [Pebble<Void>] = []
      var dependents: [[Int]] = []
      for number in 0..<Int.random(in: 1...20, using: &generator) {
        let awaited = (0..<number).filter { _ in Int.random(in: 0..<4, using: &generator) == 0 }
        for predecessor in awaited { dependents[predecessor].append(number) }
        dependents.append([])
        var condition = Condition.never
        for (place, predecessor) in awaited.enumerated() {
          let atom = pebbles[predecessor].succeeded
          condition = place.isMultiple(of: 2) ? !condition || atom : (condition && atom).labeled("")
        }
        pebbles.append(pond.pebble("p\(number)", when: condition) {})
      }
      let durations = pebbles.map { _ in UInt64.random(in: 0..<100, using: &generator) }

      var expected = durations
      for number in pebbles.indices.reversed() {
        expected[number] += dependents[number].map { expected[$0] }.max() ?? 0
      }

      let network = pond.program().pond.network
      let lengths = LongestPaths(network, durations: durations).lengths
      #expect(Array(lengths.prefix(pebbles.count)) == expected)
      let ranks = PebbleRanks(network, durations: durations).ranks
      let order = pebbles.indices.sorted { ranks[$0] < ranks[$1] }
      #expect(zip(order, order.dropFirst()).allSatisfy { expected[$0] >= expected[$1] })
    }
  }

  @Test func randomPondsWithCyclesAreRankedTheSameEveryTime() {
    var generator = SeededGenerator(seed: 8_000)
    for _ in 0..<300 {
      let pond = ReferencePond.random(mostPebbles: 12, using: &generator)
      let durations = pond.conditions.map { _ in UInt64.random(in: 0..<100, using: &generator) }

      let ranks = PebbleRanks(pond.compiled().network, durations: durations).ranks
      let again = PebbleRanks(pond.compiled().network, durations: durations).ranks

      #expect(ranks == again)
      #expect(ranks.sorted() == Array(0..<UInt32(pond.conditions.count)))
    }
  }

  @Test(arguments: [false, true])
  func aLongChainCostsNoStack(isClosed: Bool) {
    let size = Thoroughness.times(100_000)
    var builder = NetworkBuilder(pebbleCount: size, cases: CaseRows(pebbleCount: size))
    for pebble in 1..<size { builder.addEdge(from: pebble - 1, to: pebble, .all, .succeeded) }
    if isClosed { builder.addEdge(from: size - 1, to: 0, .all, .succeeded) }

    let ranks = PebbleRanks(
      builder.network(), durations: Array(repeating: 1, count: size)
    ).ranks

    #expect(ranks == Array(0..<UInt32(size)))
  }
}
