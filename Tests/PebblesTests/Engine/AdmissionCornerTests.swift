import Testing

@testable import Pebbles

/// Tests of places, units and threads that are released while other pebbles wait for them.
@Suite struct AdmissionCornerTests {
  private let unit = ResourceTable.Use(resource: 0, units: 1)

  @Test func aPlaceThatTheBestCannotUseGoesToTheNext() {
    // 0 and 1 are inside of the group of all, and one of them at a time.
    let table = ResourceTable(groups: [
      .init(pebbles: 0..<4, maxConcurrent: 2), .init(pebbles: 0..<2, maxConcurrent: 1),
    ])
    var queue = AdmissionQueue(ranks: [0, 1, 2, 3], table)
    queue.add([0, 2])
    #expect([queue.take(), queue.take()] == [0, 2])
    queue.add([1, 3])
    #expect(queue.take() == nil)

    queue.release(2)

    #expect(queue.take() == 3)
    #expect(queue.take() == nil)
  }

  @Test func aPlaceForOneThatIsWithdrawnGoesToTheNext() {
    let table = ResourceTable(groups: [.init(pebbles: 0..<3, maxConcurrent: 1)])
    var queue = AdmissionQueue(ranks: [0, 1, 2], table)
    queue.add([0])
    #expect(queue.take() == 0)
    queue.add([1, 2])
    queue.release(0)

    let withdrawn = queue.withdraw([1])

    #expect(withdrawn == [1])
    #expect(queue.take() == 2)
  }

  @Test func aThreadForOneThatIsWithdrawnGoesToTheNext() {
    var queue = AdmissionQueue(ranks: [0, 1], ResourceTable(), threaded: [0, 1])
    queue.add([0, 1])
    #expect(queue.threadDemand() == 0)
    queue.offerThread()

    let withdrawn = queue.withdraw([0])

    #expect(withdrawn == [0])
    #expect(queue.take() == 1)
  }

  @Test func unitsGivenBackToAPebbleOfAFullGroupAdmitNobody() {
    let table = ResourceTable(
      capacities: [1], uses: [[], [unit], [unit]],
      groups: [.init(pebbles: 0..<2, maxConcurrent: 1)])
    var queue = AdmissionQueue(ranks: [0, 1, 2], table)
    queue.add([0, 2])
    #expect([queue.take(), queue.take()] == [0, 2])
    queue.add([1])

    queue.releaseUses(of: 2)

    #expect(!queue.canAdmit)
    #expect(queue.take() == nil)
    queue.release(0)
    #expect(queue.take() == 1)
  }

  @Test func onlyWhatWaitsHasObstacles() {
    var queue = AdmissionQueue(
      ranks: [0, 1, 2],
      ResourceTable(capacities: [1], uses: [[unit], [unit], [unit]], maxConcurrent: 1))
    queue.add([0, 1])
    #expect(queue.take() == 0)

    #expect(queue.obstacles(of: 1) == [.resource(0), .maxConcurrent])
    queue.release(0, keepsUses: true)
    #expect(queue.obstacles(of: 1) == [.resource(0)])
    #expect(queue.obstacles(of: 0).isEmpty)
    #expect(queue.obstacles(of: 2).isEmpty)
  }

  @Test func threadsThatNobodyCanUseAreTakenBack() {
    var queue = AdmissionQueue(ranks: [0, 1, 2], ResourceTable(), threaded: [0, 1])
    queue.add([0, 1, 2])
    #expect(queue.threadDemand() == 0)
    for _ in 0..<3 { queue.offerThread() }

    #expect([queue.take(), queue.take()] == [0, 1])

    #expect(queue.takeBackIdleThreads() == 1)
    #expect(queue.takeBackIdleThreads() == 0)
    #expect(queue.take() == 2)
  }

  @Test func everyoneThatWaitsForAThreadIsTakenOnceThreadsAreUnlimited() {
    var queue = AdmissionQueue(ranks: [0, 1, 2, 3], ResourceTable(), threaded: [0, 1, 2, 3])
    queue.add([0, 1, 2])
    #expect(queue.take() == nil)

    queue.offerThread(unlimited: true)

    #expect([queue.take(), queue.take(), queue.take()] == [0, 1, 2])
    queue.add([3])
    #expect(queue.take() == 3)
  }

  /// Checks that while the only place is taken, a pebble neither waits for a thread nor keeps one.
  @Test func withoutAPlaceNoThreadIsWaitedForOrKept() {
    var queue = AdmissionQueue(ranks: [0, 1], ResourceTable(maxConcurrent: 1), threaded: [1])
    queue.add([0, 1])
    #expect(queue.take() == 0)

    #expect(queue.obstacles(of: 1) == [.maxConcurrent])
    queue.offerThread()
    #expect(queue.takeBackIdleThreads() == 1)
    queue.release(0)
    #expect(queue.obstacles(of: 1) == [.thread])
    #expect(queue.threadDemand() == 1)
  }

  @Test func groupsInsideOfEachOtherAndSideBySideAreFound() {
    let table = ResourceTable(groups: [
      .init(pebbles: 0..<2, maxConcurrent: 1), .init(pebbles: 3..<7, maxConcurrent: 1),
      .init(pebbles: 4..<6, maxConcurrent: 1),
    ])

    #expect(
      (0..<8).map { Array(table.groups(of: $0)) } == [[0], [0], [], [1], [2, 1], [2, 1], [1], []])
  }
}
