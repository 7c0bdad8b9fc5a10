import PebblesTesting
import Synchronization
import Testing

/// Exploring operations that are not ponds.
@Suite struct ExploreTests {
  @Test func exhaustiveSearchTriesEveryOrderOnce() async throws {
    let orders = Journal<[Int]>()

    let exploration = try await explore(schedules: .exhaustive()) { _ in
      let order = Journal<Int>()
      await withTaskGroup { group in
        for number in 0..<3 {
          group.addTask { order.note(number) }
        }
      }
      orders.note(order.entries)
    }

    print(exploration, orders.entries)
    #expect(exploration.isComplete)
    #expect(exploration.isDeterministic)
    #expect(Set(orders.entries).count == 6)
  }

  @Test func aPondRuns() async throws {
    let exploration = try await explore(schedules: .exhaustive()) { clock in
      let pond = Pond("boot")
      let a = pond.pebble("a") { await Task.yield() }
      let b = pond.pebble("b") { await Task.yield() }
      pond.pebble("c", when: a.succeeded || b.succeeded) { await Task.yield() }
      let report = try await pond.run(clock: clock)
      #expect(report.records.allSatisfy { $0.outcome.isSucceeded })
    }
    print(exploration)
    #expect(exploration.isComplete)
  }
}
