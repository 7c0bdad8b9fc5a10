import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

@Suite(.watched) struct GateCounterTests {
  @Test(arguments: [1, 2, 3, 70])
  func lastNeutralOperandDecides(operandCount: Int) {
    let counter = Atomic(UInt32(operandCount))

    let decisions = (0..<operandCount).map { _ in
      GateCounter.arrive(at: counter, isDominant: false)
    }

    #expect(decisions == Array(repeating: false, count: operandCount - 1) + [true])
    #expect(GateCounter.reading(counter.load(ordering: .relaxed)) == .exhausted)
  }

  @Test(arguments: 0..<4)
  func firstDominantOperandDecidesAndNoOtherDoes(position: Int) {
    let counter = Atomic(UInt32(4))

    let decisions = (0..<4).map { GateCounter.arrive(at: counter, isDominant: $0 >= position) }

    #expect(decisions == (0..<4).map { $0 == position })
    #expect(GateCounter.reading(counter.load(ordering: .relaxed)) == .dominated)
  }

  @Test func exactlyOneOfManyThreadsDecides() async {
    for round in 0..<200 {
      let gate = Gate(operandCount: 8)
      let deciders = await withTaskGroup { group in
        for operand in 0..<8 {
          group.addTask { gate.arrive(isDominant: round.isMultiple(of: 2) && operand > 5) }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }

      #expect(deciders == 1)
    }
  }

  private final class Gate: Sendable {
    private let counter: Atomic<UInt32>

    init(operandCount: UInt32) {
      counter = Atomic(operandCount)
    }

    func arrive(isDominant: Bool) -> Bool {
      GateCounter.arrive(at: counter, isDominant: isDominant)
    }
  }
}
