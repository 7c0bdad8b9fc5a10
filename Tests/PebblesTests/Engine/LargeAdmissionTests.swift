import Testing

@testable import Pebbles
import PebblesTestSupport

/// Tests that an admission does not take longer if many pebbles are ready. If the work of an
/// admission grew with the number of waiting pebbles, these tests would practically never end.
@Suite struct LargeAdmissionTests {
  private let size = Thoroughness.times(20_000)
  private let ranks: [UInt32]

  init() {
    var generator = SeededGenerator(seed: 5)
    ranks = Array(0..<UInt32(size)).shuffled(using: &generator)
  }

  private func order(_ table: ResourceTable, running limit: Int) -> [UInt32] {
    var queue = AdmissionQueue(ranks: ranks, table)
    queue.add(0..<UInt32(size))
    var order: [UInt32] = []
    var released = 0
    while !queue.isEmpty {
      if order.count - released < limit, let pebble = queue.take() {
        order.append(pebble)
      } else if released < order.count {
        queue.release(order[released])
        released += 1
      } else {
        Issue.record("nothing runs, and nothing is admitted")
        return order
      }
    }
    return order
  }

  private var byRank: [UInt32] {
    var pebbles = ranks
    for (pebble, rank) in ranks.enumerated() { pebbles[Int(rank)] = UInt32(pebble) }
    return pebbles
  }

  @Test(arguments: [nil, 1, 8])
  func allWaitBehindOnePermit(maxConcurrent: Int?) {
    let use = ResourceTable.Use(resource: 0, units: 1)
    let table = ResourceTable(
      capacities: [1], uses: Array(repeating: [use], count: size), maxConcurrent: maxConcurrent)

    #expect(order(table, running: .max) == byRank)
  }

  @Test func allWaitForOnePlace() {
    #expect(order(ResourceTable(maxConcurrent: 1), running: .max) == byRank)
  }

  @Test func allWaitForOnePlaceInGroupsInsideOfEachOther() {
    let groups = [size, size / 2, size / 4].map {
      ResourceTable.Group(pebbles: 0..<$0, maxConcurrent: 1)
    }

    #expect(order(ResourceTable(groups: groups), running: 4).count == size)
  }

  @Test func manyResourcesTieAllPebblesTogether() {
    var generator = SeededGenerator(seed: 6)
    let count = 10_000
    let uses = (0..<size).map { _ in
      Set((0..<4).map { _ in Int.random(in: 0..<count, using: &generator) }).sorted()
        .map { ResourceTable.Use(resource: $0, units: Int.random(in: 1...3, using: &generator)) }
    }
    let table = ResourceTable(capacities: Array(repeating: 3, count: count), uses: uses)

    let order = order(table, running: 64)

    #expect(order.sorted() == Array(0..<UInt32(size)))
  }

  @Test func onePebbleUsesAllResourcesThatOthersWaitFor() {
    let last = size - 1
    let uses = (0..<size).map { pebble in
      pebble == 0
        ? (0..<last).map { ResourceTable.Use(resource: $0, units: 1) }
        : [ResourceTable.Use(resource: pebble - 1, units: 1)]
    }
    let table = ResourceTable(capacities: Array(repeating: 1, count: last), uses: uses)

    #expect(order(table, running: .max).count == size)
  }

  @Test func allWaitForAPermitThatIsNeverGivenBack() {
    let use = ResourceTable.Use(resource: 0, units: 1)
    let table = ResourceTable(capacities: [1], uses: Array(repeating: [use], count: size))
    var queue = AdmissionQueue(ranks: ranks, table)
    queue.add([0])
    #expect(queue.take() == 0)
    queue.release(0, keepsUses: true)
    queue.add(1..<UInt32(size))

    let blocked = queue.removeBlocked(by: [0])

    #expect(blocked.map { UInt32($0.pebble) } == byRank.filter { $0 != 0 })
    #expect(queue.isEmpty)
  }

  @Test func allAreWithdrawn() {
    let pebbles = Array(0..<UInt32(size))
    var queue = AdmissionQueue(ranks: ranks, ResourceTable(maxConcurrent: 1))
    queue.add(pebbles)

    let withdrawn = queue.withdraw(pebbles)

    #expect(withdrawn == pebbles)
    #expect(queue.isEmpty && !queue.canAdmit)
  }

  /// Checks a queue with a single permit, in which each added pebble has a better rank than the
  /// pebble before it.
  @Test func betterPebblesKeepComing() {
    let use = ResourceTable.Use(resource: 0, units: 1)
    let table = ResourceTable(capacities: [1], uses: Array(repeating: [use], count: size))
    var queue = AdmissionQueue(ranks: Array(0..<UInt32(size)), table)
    for pebble in (0..<UInt32(size)).reversed() { queue.add(CollectionOfOne(pebble)) }

    for expected in 0..<UInt32(size) {
      guard queue.take() == expected else {
        Issue.record("\(expected) was overtaken")
        return
      }
      queue.release(expected)
    }
  }
}
