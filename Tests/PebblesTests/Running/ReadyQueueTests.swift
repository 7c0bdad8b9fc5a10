import Foundation
import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the queue of a pond without limits.
@Suite(.watched) struct ReadyQueueTests {
  @Test(arguments: [0, 1, 4])
  func itTellsHowManyWaitAndHowManyWereTaken(initialCount: Int) {
    let queue = Self.queue(initialCount)
    var waiting = Set((0..<initialCount).map(UInt32.init))
    var next = UInt32(initialCount)
    var takenCount: UInt32 = 0

    func check() {
      #expect(queue.isEmpty == waiting.isEmpty)
      for count in 0...12 {
        #expect(queue.holds(count) == (waiting.count >= count), "\(count) of \(waiting)")
      }
      #expect(queue.takenCount == takenCount)
    }

    check()
    // What is added, and how many are then taken: at times more than there are.
    for (added, taken) in [(0, 1), (3, 2), (1, 0), (2, 3), (0, 4), (4, 1), (0, 9), (1, 2)] {
      let pebbles = Array(next..<next + UInt32(added))
      next += UInt32(added)
      queue.append(pebbles[...])
      waiting.formUnion(pebbles)
      check()
      for _ in 0..<taken {
        if let pebble = queue.take() {
          #expect(waiting.remove(UInt32(pebble)) != nil)
          takenCount += 1
        } else {
          #expect(waiting.isEmpty)
        }
        check()
      }
    }
    #expect(takenCount == UInt32(initialCount) + 11)
  }

  #if canImport(Glibc)
  /// Checks that queues release their memory. They are created one after the other in a separate
  /// process, whose memory may grow only by half of what all of them would take together.
  @Test func itLeavesNoMemoryBehind() async {
    await #expect(processExitsWith: .success) {
      let pond = Pond("large")
      for number in 0..<5_000 { pond.pebble("p\(number)") {} }
      let network = pond.program().pond.network
      let sizes = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      let pages = try #require(sizes.split(separator: " ").first.flatMap { Int($0) })
      let most = rlim_t(pages * Int(getpagesize()) + 200_000_000)
      var limit = rlimit(rlim_cur: most, rlim_max: most)
      setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)

      for _ in 0..<20_000 { _ = ReadyQueue(network, holdsInitial: true, nil) }
    }
  }
  #endif

  /// Returns the queue of a pond in which the given number of pebbles are ready from the start.
  private static func queue(_ initialCount: Int) -> ReadyQueue {
    let pond = Pond("queue")
    for number in 0..<initialCount { pond.pebble("initial \(number)") {} }
    let gate = pond.pebble("gate") {}
    for number in 0..<20 { pond.pebble("later \(number)", when: gate.succeeded) {} }
    gate.ready = gate.failed
    return ReadyQueue(pond.program().pond.network, holdsInitial: true, nil)
  }
}
