import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that an expression that is part of several conditions is drawn only once.
@Suite(.watched) struct EqualGateTests {
  private let pond = Pond("equal")
  private let a: Pebble<Void>
  private let b: Pebble<Void>

  init() {
    a = pond.pebble("a") {}
    b = pond.pebble("b") {}
  }

  @Test func equalConditionsMeetInOneJunction() {
    pond.pebble("c", when: a.succeeded || b.failed) {}
    pond.pebble("d", when: b.failed || a.succeeded) {}
    pond.pebble("e", when: a.completed && (a.succeeded || b.failed)) {}

    #expect(junctions == ["g2"])
    #expect(lines(from: "g2") == ["g2 -> p2", "g2 -> p3", "g2 -> p4"])
    #expect(pond.dot().components(of: "-> g2") == 2)
  }

  @Test func whatContainsEqualPartsIsEqual() {
    for name in ["c", "d"] {
      pond.pebble(name, when: b.settled || (a.completed && (a.succeeded || b.failed))) {}
    }

    #expect(junctions.count == 3)
  }

  @Test func otherOutcomesLabelsAndKindsAreOtherConditions() {
    pond.pebble("c", when: a.succeeded || b.failed) {}
    pond.pebble("d", when: a.succeeded || b.skipped) {}
    pond.pebble("e", when: (a.succeeded || b.failed).labeled("trouble")) {}
    pond.pebble("f", when: (a.succeeded || b.failed).labeled("worse")) {}
    pond.pebble("g", when: b.settled || (a.succeeded && b.failed)) {}
    pond.pebble("h", when: a.succeeded || b.failed || .never) {}

    #expect(junctions.count == 7)
  }

  @Test func pebblesWithEqualConditionsAreNotEqual() {
    let c = pond.pebble("c") {}
    let pebbles = ["p", "q"].map { pond.pebble($0, when: a.succeeded || b.succeeded) {} }
    for (name, pebble) in zip(["r", "s"], pebbles) {
      pond.pebble(name, when: pebble.succeeded || c.succeeded) {}
    }

    #expect(junctions == ["g3", "g5", "g6"])
  }

  @Test func aPebbleIsNotEqualToItsCondition() {
    let c = pond.pebble("c", when: a.succeeded || b.succeeded) {}
    let inner = b.completed && (a.succeeded || b.succeeded)
    pond.pebble("d", when: inner.labeled("ready")) {}
    pond.pebble("e", when: (b.completed && c.succeeded).labeled("ready")) {}

    #expect(junctions == ["g2", "g3", "g4"])
  }

  @Test func whatIsDrawnOnceIsPointedToByAllThatWait() async throws {
    pond.pebble("c", when: a.succeeded || b.failed) {}
    pond.pebble("d", when: a.succeeded || b.failed) {}

    let mermaid = try await pond.run().mermaid()

    #expect(mermaid.contains("  g2 ==> p2\n"))
    #expect(mermaid.contains("  g2 ==> p3\n"))
  }

  @Test func reasonsAreWrittenWhenAskedFor() async throws {
    pond.pebble("offline", when: a.failed) {}
    let report = try await pond.run()

    #expect(report.dot().contains("label=\"offline\\nnot needed\""))
    #expect(
      report.dot(reasons: true)
        .contains("label=\"offline\\nnot needed\\nit needs a to fail, but a succeeded\""))
    #expect(report.mermaid(reasons: true).contains("<br/>it needs a to fail, but a succeeded\""))
  }

  private var junctions: [String] {
    pond.dot().split(separator: "\n").filter { $0.hasPrefix("  g") && $0.contains(" [label=") }
      .map { String($0.dropFirst(2).prefix { $0 != " " }) }
  }

  private func lines(from node: String) -> [String] {
    pond.dot().split(separator: "\n").map { $0.drop { $0 == " " } }
      .filter { $0.hasPrefix("\(node) -> ") }.map(String.init)
  }
}

extension String {
  fileprivate func components(of part: String) -> Int { self.split(separator: part).count - 1 }
}
