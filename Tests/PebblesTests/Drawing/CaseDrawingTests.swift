import PebblesTestSupport
import Testing

@testable import Pebbles

private enum Side: CaseIterable {
  case heads, tails
}

/// Tests that a case is drawn as the label of a line, not as a junction, and that the goal has its
/// own node.
@Suite(.watched) struct CaseDrawingTests {
  private let pond = Pond("cases")

  // MARK: Cases

  @Test func aCaseIsWrittenAtTheLineFromItsPebble() {
    let database = pond.pebble("database") {}
    let locked = database.failed("locked") { _ in false }
    _ = database.failed("never mentioned") { _ in false }
    pond.pebble("unlock", when: locked) {}
    pond.pebble("broken", when: database.failed && !locked) {}
    pond.pebble("late", when: database.timedOut) {}

    let dot = pond.dot()

    #expect(
      Set(lines(of: dot)) == [
        "p0 -> p1 [arrowhead=diamond, color=\"#795548\", fontcolor=\"#795548\", "
          + "label=\"as locked\"]",
        "p0 -> p2 [arrowhead=diamond, color=\"#795548\", fontcolor=\"#795548\", label=\"failed\"]",
        "p0 -> p2 [arrowhead=odiamond, color=\"#6a1b9a\", label=\"not as locked\"]",
        "p0 -> p3 [arrowhead=diamond, color=\"#795548\", fontcolor=\"#795548\", "
          + "label=\"timed out\"]",
      ])
    #expect(!dot.contains("shape=circle"))
    #expect(!dot.contains("never mentioned"))
    #expect(pond.mermaid().contains("  p0 -->|not as locked| p2\n"))
  }

  @Test func ofTwoValuesTheOneIsTakenThatHeld() async throws {
    let flip = pond.pebble("flip") { Side.tails }
    pond.pebble("won", when: flip.is(.heads)) {}
    pond.pebble("lost", when: flip.is(.tails)) {}
    pond.pebble("again", when: !flip.is(.heads)) {}

    let report = try await pond.run(clock: ManualClock())

    let mermaid = report.mermaid()
    #expect(mermaid.contains("  p0 ==x|with heads| p1\n"))
    #expect(mermaid.contains("  p0 ==>|with tails| p2\n"))
    #expect(mermaid.contains("  p0 ==>|not with heads| p3\n"))
    #expect(mermaid.contains("p0[\"flip<br/>with tails after 0 ns\"]"))
    #expect(report.dot().contains("label=\"flip\\nwith tails after 0 ns\""))
  }

  @Test func aFailureSaysAsWhat() async throws {
    let database = pond.pebble("database") { throw Breakdown("it is \"locked\"") }
    let locked = database.failed("a \"lock\"") { _ in true }
    pond.pebble("unlock", when: locked || database.skipped) {}

    let report = try await pond.run(clock: ManualClock())

    let name = "\\\"a \\\\\\\"lock\\\\\\\"\\\""
    #expect(report.dot().contains("label=\"database\\nfailed as \(name) after 0 ns\""))
    #expect(report.dot().contains("label=\"as \(name)\""))
    #expect(report.mermaid().contains("==>|as #34;a #92;#34;lock#92;#34;#34;| g"))
  }

  @Test func casesInsideOfClustersAreDrawn() async throws {
    let shop = Pond("shop")
    let flip = shop.pebble("flip") { Side.heads }
    shop.pebble("won", when: (flip.is(.heads) || flip.failed) && flip.settled) {}
    pond.add(shop, as: "shop")

    let report = try await pond.run()

    #expect(report.dot().contains("label=\"with heads\""))
  }

  // MARK: The goal

  @Test func aGoalIsANodeWithTheLinesOfItsCondition() async throws {
    let fetch = pond.pebble("fetch") {}
    let publish = pond.pebble("publish", when: fetch.failed) {}
    pond.goal = publish.succeeded && fetch.completed

    let report = try await pond.run()

    #expect(pond.dot().contains("goal [label=\"goal\", shape=hexagon, style=filled, "))
    #expect(!pond.dot().contains("shape=circle"))
    #expect(lines(of: pond.dot()).contains { $0.hasPrefix("p1 -> goal") })
    #expect(pond.mermaid().contains("  goal{{\"goal\"}}\n"))
    #expect(report.dot().contains("label=\"goal\\nnot reached\""))
    #expect(report.mermaid().contains("  goal{{\"goal<br/>not reached\"}}:::failed\n"))
    #expect(report.mermaid().contains("  p1 ==x goal\n"))
  }

  @Test func theLabelOfTheGoalAndItsOrAreTheGoal() async throws {
    let home = pond.pebble("home") {}
    let offline = pond.pebble("offline", when: home.failed) {}
    pond.goal = (home.succeeded || offline.succeeded).labeled("a screen is up")

    let report = try await pond.run()

    let mermaid = report.mermaid()
    #expect(
      mermaid.contains("  goal{{\"goal#58; a screen is up<br/>any of<br/>reached\"}}:::succeeded\n")
    )
    #expect(mermaid.contains("  p0 ==> goal\n"))
    #expect(!mermaid.contains("  g2"))
    #expect(!mermaid.contains("goal goal") && !mermaid.contains("goal --"))
  }

  @Test func aGoalThatIsAskedElsewhereTooIsAJunctionBeforeIt() {
    let home = pond.pebble("home") {}
    let offline = pond.pebble("offline") {}
    let isUp = (home.succeeded || offline.succeeded).labeled("a screen is up")
    pond.pebble("tell", when: isUp) {}
    pond.goal = isUp && home.settled

    let dot = pond.dot()

    #expect(lines(of: dot).count { $0.hasSuffix(" -> goal") } == 1)
    #expect(dot.contains("label=\"a screen is up\\nor\""))
  }

  @Test func aConstantGoalIsDrawn() {
    pond.goal = .never

    #expect(lines(of: pond.dot()) == ["c0 -> goal"])
  }

  private func lines(of dot: String) -> [String] {
    dot.split(separator: "\n").filter { $0.contains("->") }.map { String($0.dropFirst(2)) }
  }
}
