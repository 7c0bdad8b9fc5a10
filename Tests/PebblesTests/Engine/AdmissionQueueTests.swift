import Testing

@testable import Pebbles
import PebblesTestSupport

@Suite struct AdmissionQueueTests {
  typealias Use = ResourceTable.Use

  /// Returns a queue of pebbles whose ranks follow the order of their numbers.
  private func queue(
    capacities: [Int] = [], uses: [[Use]], maxConcurrent: Int? = nil
  ) -> AdmissionQueue {
    AdmissionQueue(
      ranks: Array(0..<UInt32(uses.count)),
      ResourceTable(capacities: capacities, uses: uses, maxConcurrent: maxConcurrent))
  }

  private func one(_ resource: Int) -> Use { Use(resource: resource, units: 1) }

  private func takeAll(_ queue: inout AdmissionQueue) -> [UInt32] {
    var taken: [UInt32] = []
    while let pebble = queue.take() { taken.append(pebble) }
    return taken
  }

  @Test func anEmptyQueueAdmitsNothing() {
    var queue = queue(uses: [[]])

    #expect(queue.isEmpty)
    #expect(!queue.canAdmit)
    #expect(queue.take() == nil)
  }

  @Test func pebblesGoInTheOrderOfTheirRanks() {
    var queue = AdmissionQueue(ranks: [2, 0, 3, 1], ResourceTable())

    queue.add(0..<4)

    #expect(queue.count == 4)
    #expect(takeAll(&queue) == [1, 3, 0, 2])
    #expect(queue.isEmpty)
  }

  @Test func aBetterPebbleAddedLaterGoesFirst() {
    var queue = queue(capacities: [1], uses: [[one(0)], [one(0)], [one(0)]])
    queue.add([2])
    queue.add([1])
    queue.add([0])

    var order: [UInt32] = []
    while let pebble = queue.take() {
      #expect(!queue.canAdmit)
      order.append(pebble)
      queue.release(pebble)
    }

    #expect(order == [0, 1, 2])
  }

  @Test func pebblesOfOneUnitShareAResourceUpToItsCapacity() {
    var queue = queue(capacities: [2], uses: Array(repeating: [one(0)], count: 5))
    queue.add(0..<5)

    #expect(takeAll(&queue) == [0, 1])
    queue.release(1)
    #expect(takeAll(&queue) == [2])
    queue.release(0)
    queue.release(2)
    #expect(takeAll(&queue) == [3, 4])
  }

  @Test func aPebbleThatWantsAllUnitsIsNotOvertakenByThoseThatWantOne() {
    let all = Use(resource: 0, units: 4)
    var queue = queue(capacities: [4], uses: [[one(0)], [all], [one(0)], [one(0)]])
    queue.add([0])
    #expect(queue.take() == 0)
    queue.add([1, 2, 3])

    #expect(!queue.canAdmit)
    #expect(queue.take() == nil)
    queue.release(0)
    #expect(takeAll(&queue) == [1])
    queue.release(1)
    #expect(takeAll(&queue) == [2, 3])
  }

  @Test func aPebbleThatSharesNothingWithOneThatWaitsGoesOn() {
    var queue = queue(capacities: [1, 1], uses: [[one(0)], [one(0)], [one(1)], []])
    queue.add(0..<4)

    #expect(takeAll(&queue) == [0, 2, 3])
    #expect(queue.count == 1)
  }

  @Test func aPebbleWaitsBehindABetterOneOnAFreeResource() {
    // 1 waits for 0's resource and is next on the other one, which 2 would like.
    var queue = queue(capacities: [1, 1], uses: [[one(0)], [one(0), one(1)], [one(1)]])
    queue.add(0..<3)

    #expect(takeAll(&queue) == [0])
    queue.release(0)
    #expect(takeAll(&queue) == [1])
    queue.release(1)
    #expect(takeAll(&queue) == [2])
  }

  @Test func aPebbleThatWasAdmissibleIsNotOnceABetterOneWaits() {
    var queue = queue(capacities: [1, 1], uses: [[one(0)], [one(0), one(1)], [one(1)]])
    queue.add([0])
    #expect(queue.take() == 0)
    queue.add([2])
    #expect(queue.canAdmit)

    queue.add([1])

    #expect(!queue.canAdmit)
    #expect(queue.take() == nil)
  }

  @Test func noMorePebblesRunThanAllowed() {
    var queue = queue(uses: Array(repeating: [], count: 5), maxConcurrent: 2)
    queue.add(0..<5)

    #expect(takeAll(&queue) == [0, 1])
    #expect(!queue.canAdmit)
    queue.release(0)
    #expect(queue.canAdmit)
    #expect(takeAll(&queue) == [2])
  }

  @Test func aPebbleThatWaitsForAResourceDoesNotKeepAPlaceFromOthers() {
    var queue = queue(capacities: [1], uses: [[one(0)], [one(0)], [], []], maxConcurrent: 2)
    queue.add(0..<4)

    #expect(takeAll(&queue) == [0, 2])
    queue.release(0)
    #expect(takeAll(&queue) == [1])
  }

  @Test func aPlaceInAFullGroupGoesToTheBestThatCouldUseIt() {
    // 0 to 4 are a group, 2 to 4 another one inside of it.
    let table = ResourceTable(groups: [
      .init(pebbles: 0..<5, maxConcurrent: 2), .init(pebbles: 2..<5, maxConcurrent: 1),
    ])
    var queue = AdmissionQueue(ranks: [5, 4, 0, 1, 2, 6], table)
    queue.add(0..<6)

    #expect(takeAll(&queue) == [2, 1, 5])
    #expect(!queue.canAdmit)
    queue.release(2)
    #expect(takeAll(&queue) == [3])
    queue.release(1)
    #expect(takeAll(&queue) == [0])
    queue.release(0)
    #expect(takeAll(&queue).isEmpty)
    queue.release(3)
    #expect(takeAll(&queue) == [4])
  }

  @Test func aPebbleThatWaitsForAResourceDoesNotKeepAPlaceOfItsGroupFromOthers() {
    let table = ResourceTable(
      capacities: [1], uses: [[one(0)], [one(0)], []],
      groups: [.init(pebbles: 1..<3, maxConcurrent: 1)])
    var queue = AdmissionQueue(ranks: [0, 1, 2], table)
    queue.add(0..<3)

    #expect(takeAll(&queue) == [0, 2])
    queue.release(0)
    #expect(!queue.canAdmit)
    queue.release(2)
    #expect(takeAll(&queue) == [1])
  }

  @Test func whoNeedsExactlyWhatIsLeftIsNotBlockedByThoseThatKeepTheRest() {
    var queue = queue(
      capacities: [4],
      uses: [2, 3, 2].map { [Use(resource: 0, units: $0)] })
    queue.add([0])
    #expect(queue.take() == 0)
    queue.release(0, keepsUses: true)
    queue.add([1, 2])
    #expect(queue.take() == nil)

    let blocked = queue.removeBlocked(by: [0])

    #expect(blocked.map(\.pebble) == [1])
    #expect(takeAll(&queue) == [2])
  }

  @Test func whatSeveralKeepTogetherBlocksAPebble() {
    var queue = queue(
      capacities: [3],
      uses: [1, 1, 2].map { [Use(resource: 0, units: $0)] })
    queue.add([0, 1])
    #expect(takeAll(&queue) == [0, 1])
    queue.release(0, keepsUses: true)
    queue.release(1, keepsUses: true)
    queue.add([2])
    #expect(queue.take() == nil)

    let blocked = queue.removeBlocked(by: [0, 1])

    #expect(blocked.map(\.pebble) == [2])
    #expect(queue.isEmpty)
  }

  @Test func aPebbleMayComeAgain() {
    var queue = queue(capacities: [1], uses: [[one(0)], [one(0)]])
    for _ in 0..<3 {
      queue.add([1, 0])
      #expect(queue.take() == 0)
      queue.release(0)
      #expect(queue.take() == 1)
      queue.release(1)
      #expect(queue.isEmpty)
    }
  }

  /// Compares queues with the reference while pebbles are added, taken, released, removed and added
  /// again in random order.
  @Test(arguments: 0..<8)
  func randomQueuesFollowTheReference(shard: Int) {
    var generator = SeededGenerator(seed: 4_000 + UInt64(shard))
    for _ in 0..<Thoroughness.times(50) {
      var reference = ReferenceAdmission.random(using: &generator)
      var queue = reference.makeQueue()
      for _ in 0..<60 {
        step(&reference, &queue, using: &generator)

        guard queue.count == reference.waiting.count,
          queue.canAdmit == (reference.best != nil),
          !reference.waiting.isEmpty || queue.isEmpty,
          !reference.admitted.isEmpty || reference.waiting.isEmpty || queue.canAdmit
        else {
          Issue.record("\(reference)")
          return
        }
      }
      #expect(order(of: reference) == order(of: queue, admitted: reference.admitted))
    }
  }

  private func step(
    _ reference: inout ReferenceAdmission, _ queue: inout AdmissionQueue,
    using generator: inout SeededGenerator
  ) {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0, 1:
      let outside = reference.ranks.indices.map(UInt32.init).filter {
        !reference.waiting.contains($0) && !reference.admitted.contains($0)
      }
      let added = outside.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
        .shuffled(using: &generator)
      for pebble in added { reference.add(pebble) }
      queue.add(added)
    case 2, 3:
      let (expected, taken) = (reference.take(), queue.take())
      #expect(expected == taken)
      for resource in reference.capacities.indices {
        #expect(reference.unitsHeld(of: resource) <= reference.capacities[resource])
      }
      #expect(reference.admitted.count <= reference.maxConcurrent ?? .max)
      for group in reference.groups {
        #expect(reference.runningCount(in: group) <= group.maxConcurrent)
      }
    case 4, 5:
      guard let done = reference.admitted.sorted().randomElement(using: &generator) else { return }
      reference.release(done)
      queue.release(done)
    case 6:
      let pebbles = reference.ranks.indices.map(UInt32.init)
        .filter { _ in Int.random(in: 0..<4, using: &generator) == 0 }
      let (expected, withdrawn) = (reference.withdraw(pebbles), queue.withdraw(pebbles))
      #expect(expected == withdrawn)
    default:
      guard let done = reference.admitted.sorted().randomElement(using: &generator) else { return }
      queue.release(done, keepsUses: true)
      let blocked = queue.removeBlocked(by: [Int(done)]).map { UInt32($0.pebble) }
      let expected = reference.removeBlocked(by: done)
      #expect(blocked == expected)
      reference.release(done)
      queue.releaseUses(of: done)
    }
  }

  /// Returns the order in which the waiting pebbles are admitted if the running pebble with the
  /// lowest number ends whenever none of them can be admitted.
  private func order(of reference: ReferenceAdmission) -> [UInt32] {
    var copy = reference
    var order: [UInt32] = []
    while !copy.waiting.isEmpty {
      if let pebble = copy.take() {
        order.append(pebble)
      } else if let done = copy.admitted.min() {
        copy.release(done)
      } else {
        Issue.record("nothing runs, and nothing is admitted: \(copy)")
        return order
      }
    }
    return order
  }

  private func order(of queue: AdmissionQueue, admitted: Set<UInt32>) -> [UInt32] {
    var queue = queue
    var running = admitted
    var order: [UInt32] = []
    while !queue.isEmpty {
      if let pebble = queue.take() {
        order.append(pebble)
        running.insert(pebble)
      } else if let done = running.min() {
        running.remove(done)
        queue.release(done)
      } else {
        Issue.record("nothing runs, and nothing is admitted")
        return order
      }
    }
    return order
  }
}
