import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct ClusterLifetimeTests {
  @Test func aClusterOutlivesThePondItWasCopiedFrom() async throws {
    let boot = Pond("boot")
    let (cluster, sum) = addSum(to: boot)

    #expect(try await boot.run()[cluster[sum]] == 3)
  }

  private func addSum(to boot: Pond) -> (Cluster, Pebble<Int>) {
    let other = Pond("other")
    let one = other.pebble("one") { 1 }
    let sum = other.pebble("sum", needs: one, when: one.succeeded) {
      $0 + 2
    }
    return (boot.add(other, as: "other"), sum)
  }

  @Test func allThatWasCapturedGoesAwayWithBothPonds() async throws {
    weak var captured: Captured?
    weak var otherPond: Pond?
    weak var definition: PondDefinition?
    weak var otherDefinition: PondDefinition?
    do {
      let boot = Pond("boot")
      let other = Pond("other", around: { _, body in try await body() })
      let witness = Captured()
      (captured, otherPond) = (witness, other)
      (definition, otherDefinition) = (boot.definition, other.definition)
      let first = other.pebble("first") { witness.isThere }
      let second = other.pebble("second", needs: first, when: first.completed) { _ in _ = witness }
      let cluster = boot.add(other, as: "other")
      boot.pebble("third", needs: cluster[second], cluster[first]) { _, _ in _ = (cluster, second) }
      other.add(boot, as: "boot")
      #expect(try await boot.run().isAllSucceeded)
      #expect(try await other.run().isAllSucceeded)
      _ = boot.dot()
    }

    try await until { captured == nil }
    try await until { otherPond == nil }
    try await until { definition == nil }
    try await until { otherDefinition == nil }
  }

  @Test func aClusterDoesNotKeepTheOtherPondAlive() {
    weak var seen: Pond?
    weak var captured: Captured?
    let boot = Pond("boot")
    do {
      let other = Pond("other")
      let witness = Captured()
      (seen, captured) = (other, witness)
      let first = other.pebble("first") { 1 }
      other.pebble("second", needs: first) { _ in _ = first }
      boot.add(other, as: "other")
      other.pebble("late") { _ = witness }
    }

    #expect(seen == nil)
    #expect(captured == nil)
    #expect(boot.program().pond.graph.names.count == 2)
  }

  @Test func copiesLetGoOfTheirBodiesWithTheirPond() {
    weak var captured: Captured?
    let cluster: Cluster
    do {
      let (boot, other) = (Pond("boot"), Pond("other"))
      let witness = Captured()
      captured = witness
      other.pebble("first") { _ = witness }
      other.pebble("second") { witness.isThere }
      other.pebble("third") { complete in complete(witness.isThere) }
      cluster = boot.add(other, as: "other")
      boot.add(other, as: "again")
    }

    #expect(captured == nil)
    #expect(cluster.name == "other")
  }

  @Test func pondsAddedToEachOtherFromManyThreadsDoNotDeadlock() async throws {
    let (left, right) = (Pond("left"), Pond("right"))
    left.pebble("one", needs: left.pebble("zero") { 0 }) { $0 }
    right.pebble("two", when: right.pebble("three") {}.settled.labeled("three")) {}
    // Contents double with every exchange, so there are few of them.
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask { _ = left.add(right, as: "\(number)") }
        group.addTask { _ = right.add(left, as: "\(number)") }
        group.addTask { for index in 0..<100 { left.pebble("own\(number).\(index)") {} } }
      }
    }

    for pond in [left, right] {
      let graph = pond.program().pond.graph
      for cluster in graph.clusters {
        #expect(graph.names[cluster.pebbles].allSatisfy { $0.hasPrefix("\(cluster.name)/") })
      }
      #expect(try await pond.run().isAllSucceeded)
    }
  }

  @Test func aPondCanBeAddedWhileItGrowsAndRuns() async throws {
    let (boot, other) = (Pond("boot"), Pond("other"))
    let first = other.pebble("first") { 1 }
    let journal = Logbook<Int>()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 0..<500 { other.pebble("p\(number)", needs: first) { $0 } }
      }
      group.addTask { for number in 0..<20 { boot.add(other, as: "\(number)") } }
      group.addTask {
        for _ in 0..<5 {
          if let report = try? await boot.run() { journal.note(report.records.count) }
        }
      }
    }

    #expect(journal.count == 5)
    #expect(try await boot.run().isAllSucceeded)
  }
}
