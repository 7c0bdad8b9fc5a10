import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests that the depth of the stack does not grow with the size of a pond, either during a run or
/// when the pond and the run are released.
@Suite(.watched) struct LargePondTests {
  private final class Counter: Sendable {
    private let value = Atomic(0)
    var count: Int { value.load(ordering: .relaxed) }

    func increment() {
      value.add(1, ordering: .relaxed)
    }
  }

  private let size = 200_000
  private let counter = Counter()

  @Test func chainRunsFromEndToEnd() async throws {
    let pond = Pond("chain")
    var last: Pebble<Void>?
    for number in 0..<size {
      last = pond.pebble("p\(number)", when: last?.succeeded ?? .always) { [counter] in
        counter.increment()
      }
    }

    let report = try await pond.run()

    #expect(counter.count == size)
    #expect(report.records.last?.enabledBy == "p\(size - 2)")
  }

  @Test func oneFailureSkipsAChainBehindIt() async throws {
    let pond = Pond("chain")
    var last: Pebble<Void> = pond.pebble("p0") { throw Breakdown() }
    for number in 1..<size {
      last = pond.pebble("p\(number)", when: last.succeeded) { [counter] in counter.increment() }
    }

    let report = try await pond.run()

    #expect(counter.count == 0)
    #expect(report.outcome(of: last).skipReason == .conditionFalse(decidedBy: "p\(size - 2)"))
  }

  @Test func fanOutAndFanInRunEveryPebbleOnce() async throws {
    let pond = Pond("fan")
    let root = pond.pebble("root") {}
    let middle = (0..<size).map { number in
      pond.pebble("p\(number)", when: root.succeeded) { [counter] in counter.increment() }
    }
    let last = pond.pebble("last", when: .all(middle.map(\.succeeded))) { [counter] in
      counter.count
    }

    let report = try await pond.run()

    #expect(report[last] == size)
  }
}
