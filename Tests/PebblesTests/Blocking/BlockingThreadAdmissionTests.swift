import Testing

@testable import Pebbles

@Suite struct BlockingThreadAdmissionTests {
  private var admission = BlockingThreadAdmission(limit: 1, most: 10)
  private let run = RunIdentifier()

  private mutating func add(priority: Int) -> Int {
    admission.add(run: run, priority: priority, Promise()).number
  }

  @Test mutating func thoseOfOnePriorityAreServedAsTheyCame() {
    for priority in [0, 0, 1, 0, 1, 2] { _ = add(priority: priority) }

    var served: [Int] = []
    while admission.waitingCount > 0 {
      served += admission.returned(by: run).map(\.waiter.number)
    }

    // The first was served at once.
    #expect(served == [6, 3, 5, 2, 4])
  }

  @Test func whoWaitsGetsTheThreadOfAnAbandonedBodyThatReturnsAtLast() {
    var full = BlockingThreadAdmission(limit: 2, most: 2)
    for _ in 0..<2 { _ = full.add(run: run, priority: 0, Promise()) }
    let none = full.abandoned(by: run)
    let third = full.add(run: run, priority: 0, Promise())
    #expect(none.isEmpty && third.replies.isEmpty)

    let replies = full.abandonedReturned()

    #expect(replies.map(\.waiter.number) == [third.number])
    #expect(full.waitingCount == 0)
    #expect(full.heldCount == 2)
    #expect(full.abandonedCount == 0)
  }

  @Test mutating func whoWithdrawsIsToldSoAndNobodyElse() {
    for _ in 0..<4 { _ = add(priority: 0) }

    let replies = admission.withdraw(3)

    #expect(replies.map(\.waiter.number) == [3])
    #expect(admission.waitingCount == 2)
    let again = admission.withdraw(3)
    #expect(again.isEmpty)
  }
}
