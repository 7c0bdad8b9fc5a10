import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched, .serialized) struct ClusterConditionTests {
  private let boot = Pond("boot")
  private let other = Pond("other")

  init() {
    boot.pebble("in front") {}
  }

  @Test func everyConditionReadsAsBefore() {
    let a = other.pebble("a") {}
    let b = other.pebble("b") {}
    let conditions: [Condition] = [
      .always, .never, a.succeeded, !a.settled, a.failed && b.skipped || !(a.failed || b.failed),
      (a.failed || b.failed).labeled("any"), .all([]), .any([]), .all([a.failed, .never]),
      .all((0..<100).map { $0.isMultiple(of: 2) ? a.failed : b.failed }),
      .any((0..<30).map { _ in a.completed }),
    ]
    let pebbles = conditions.enumerated().map { number, condition in
      other.pebble("c\(number)", when: condition) {}
    }
    let replaced = other.pebble("replaced", when: a.failed.labeled("first")) {}
    replaced.ready = a.succeeded && b.succeeded

    let cluster = boot.add(other, as: "x")

    for pebble in pebbles + [replaced] {
      let text = pebble.ready.description
        .replacing("a.", with: "\"x/a\".").replacing("b.", with: "\"x/b\".")
      #expect(cluster[pebble].ready.description == text)
    }
  }

  @Test func cyclesAcrossClustersStallOrOpen() async throws {
    let closed = other.pebble("closed") {}
    let open = other.pebble("open") {}
    let cluster = boot.add(other, as: "cluster")
    let start = boot.pebble("start") {}
    let back = boot.pebble("back", when: cluster[closed].succeeded) {}
    let forth = boot.pebble("forth", when: cluster[open].succeeded) {}
    cluster[closed].ready = back.succeeded
    cluster[open].ready = forth.succeeded || start.succeeded

    let report = try await boot.run()

    #expect(report.outcome(of: back).skipReason == .stalled(waitingOn: ["cluster/closed"]))
    #expect(report.outcome(of: cluster[closed]).skipReason == .stalled(waitingOn: ["back"]))
    #expect(report.outcome(of: cluster[open]).isSucceeded)
    #expect(report.outcome(of: forth).isSucceeded)
  }

  @Test func aDeepConditionIsMovedWithoutRecursion() async throws {
    let root = other.pebble("root") {}
    let never = other.pebble("never", when: .never) {}
    let deep = (0..<50_000).reduce(root.succeeded) { inner, _ in !(never.succeeded || inner) }
    let last = other.pebble("last", when: deep) {}

    let cluster = boot.add(other, as: "deep")
    let report = try await boot.run()

    #expect(report.outcome(of: cluster[last]).isSucceeded)
    #expect(cluster[last].ready.description.hasPrefix("!(\"deep/never\".succeeded || !("))
  }

  @Test func whatIsSharedStaysShared() async throws {
    let root = other.pebble("root") {}
    let both = (0..<60).reduce(root.succeeded) { condition, _ in condition && condition }
    let wide = Condition.all((0..<10_000).map { _ in both })
    let runs = other.pebble("runs", when: both) {}
    let widely = other.pebble("widely", when: wide) {}
    let skipped = other.pebble("skipped", when: !both) {}

    let cluster = boot.add(other, as: "shared")
    let report = try await boot.run()

    #expect(report.outcome(of: cluster[runs]).isSucceeded)
    #expect(report.outcome(of: cluster[widely]).isSucceeded)
    #expect(report.outcome(of: cluster[skipped]).isSkipped)
    let (original, copy) = (other.program().pond, boot.program().pond)
    #expect(
      copy.network.rowCount - copy.network.pebbleCount
        == original.network.rowCount - original.network.pebbleCount)
  }

  @Test func aHundredThousandPebblesAreAdded() async throws {
    var last = other.pebble("p0") { 0 }
    for number in 1..<100_000 {
      last = other.pebble("p\(number)", needs: last) { $0 + 1 }
    }

    let cluster = boot.add(other, as: "many")
    let all = boot.pebble("all", when: cluster.succeeded) {}
    let report = try await boot.run()

    #expect(report[cluster[last]] == 99_999)
    #expect(report.outcome(of: all).isSucceeded)
  }

  @Test func manySmallPondsAreAdded() async throws {
    let first = other.pebble("first") { 1 }
    let second = other.pebble("second", needs: first, when: first.completed || first.failed) { $0 }
    var previous: Pebble<Int>?
    for number in 0..<5_000 {
      let cluster = boot.add(other, as: "\(number)")
      if let previous { cluster[first].ready = previous.succeeded }
      previous = cluster[second]
    }

    #expect(try await boot.run().isAllSucceeded)
  }
}
