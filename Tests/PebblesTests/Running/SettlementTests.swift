import Testing

@testable import Pebbles

@Suite(.timeLimit(.minutes(15))) struct SettlementTests {
  private let settlement = Settlement<Int>()

  /// With work that grows with what waits already, this would take minutes.
  @Test func manyMayWait() async {
    await withTaskGroup { [settlement] group in
      for _ in 0..<100_000 {
        group.addTask { #expect(await settlement.value() == 7) }
      }
      group.addTask {
        await Task.yield()
        settlement.settle(7)
      }
    }

    #expect(settlement.settled == 7)
  }

  @Test func whoComesLaterIsToldAtOnce() async {
    #expect(settlement.settled == nil)

    #expect(settlement.settle(7))

    #expect(await settlement.value() == 7)
  }

  @Test func onlyTheFirstValueCounts() async {
    settlement.settle(7)

    #expect(!settlement.settle(8))
    #expect(await settlement.value() == 7)
  }
}
