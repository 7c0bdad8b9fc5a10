import Testing

@testable import Pebbles

@Suite struct DotTests {
  private let pond = Pond("drawing")
  private let a: Pebble<Void>
  private let b: Pebble<Void>

  init() {
    a = pond.pebble("a") {}
    b = pond.pebble("b") {}
  }

  @Test func everyPebbleIsABoxWithItsName() {
    #expect(pond.dot().contains("  p0 [label=\"a\"]\n"))
    #expect(pond.dot().contains("  p1 [label=\"b\"]\n"))
    #expect(pond.dot().hasPrefix("digraph \"drawing\" {\n"))
    #expect(pond.dot().hasSuffix("}\n"))
  }

  @Test func everyOutcomeWaitedForHasALineOfItsOwnStyle() {
    let atoms = [a.succeeded, a.failed, a.skipped, a.completed, a.settled, !a.succeeded, !a.failed]
    for (number, atom) in atoms.enumerated() { pond.pebble("c\(number)", when: atom) {} }

    let lines = lines(from: "p0")

    #expect(lines.count == atoms.count)
    #expect(
      Set(lines.map { $0.split(separator: "[", maxSplits: 1).last ?? "" }).count == atoms.count)
    for (line, caption) in zip(
      lines.dropFirst(),
      ["failed", "skipped", "completed", "settled", "not succeeded", "not failed"])
    {
      #expect(line.contains("label=\"\(caption)\""))
    }
  }

  @Test func anAndNeedsNoJunction() {
    pond.pebble("c", when: a.succeeded && b.succeeded) {}

    #expect(lines(from: "p0").allSatisfy { $0.hasPrefix("  p0 -> p2") })
    #expect(lines(from: "p1").allSatisfy { $0.hasPrefix("  p1 -> p2") })
    #expect(!pond.dot().contains("shape=circle"))
  }

  @Test func anOrMeetsInAJunction() {
    pond.pebble("c", when: a.succeeded || b.failed) {}

    #expect(pond.dot().contains("  g2 [label=\"or\", shape=circle"))
    #expect(lines(from: "p0").first?.hasPrefix("  p0 -> g2") == true)
    #expect(lines(from: "p1").first?.hasPrefix("  p1 -> g2") == true)
    #expect(lines(from: "g2").first?.hasPrefix("  g2 -> p2") == true)
  }

  @Test func nestedLogicIsDrawnAsItNests() {
    let c = pond.pebble("c") {}
    pond.pebble("d", when: c.succeeded && (a.succeeded || b.succeeded)) {}
    pond.pebble("e", when: c.succeeded || (a.succeeded && b.succeeded)) {}

    #expect(pond.dot().contains("label=\"or\""))
    #expect(pond.dot().contains("label=\"and\""))
    #expect(lines(from: "p0").allSatisfy { $0.contains("-> g") })
    #expect(lines(from: "p2").contains { $0.hasPrefix("  p2 -> p3") })
    #expect(lines(from: "p2").contains { $0.hasPrefix("  p2 -> g4") })
  }

  @Test func aNegationIsPushedDownToTheAtoms() {
    pond.pebble("c", when: !(a.succeeded && b.failed)) {}

    #expect(pond.dot().contains("label=\"or\""))
    #expect(lines(from: "p0").first?.contains("label=\"not succeeded\"") == true)
    #expect(lines(from: "p1").first?.contains("label=\"not failed\"") == true)
  }

  @Test func aLabelIsWrittenInItsJunction() {
    pond.pebble("c", when: (a.failed && b.failed).labeled("offline")) {}
    pond.pebble("d", when: a.succeeded && b.failed.labeled("no \"b\"")) {}

    #expect(pond.dot().contains("label=\"offline\\nand\""))
    #expect(pond.dot().contains("label=\"no \\\"b\\\"\""))
  }

  @Test func constantsAreWritten() {
    pond.pebble("c", when: .never) {}
    pond.pebble("d", when: a.succeeded || .always) {}

    #expect(pond.dot().contains("label=\"never\""))
    #expect(pond.dot().contains("label=\"always\""))
  }

  @Test func faultsAreNotes() {
    let stranger = Pond("elsewhere").pebble("stranger") {}
    pond.pebble("a", when: stranger.succeeded) {}
    pond.pebble("") {}

    let notes = pond.dot().split(separator: "\n").filter { $0.contains("shape=note") }

    #expect(notes.count == 3)
    #expect(notes.contains { $0.contains("2 pebbles are named") })
    #expect(notes.contains { $0.contains("has an empty name") })
    #expect(notes.contains { $0.contains("stranger") })
  }

  @Test func aLegendIsDrawnOnRequest() {
    #expect(!pond.dot().contains("cluster_legend"))
    let legend = pond.dot(legend: true)
    #expect(legend.contains("cluster_legend"))
    for word in ["succeed", "fail", "complete", "be skipped", "settle"] {
      #expect(legend.contains("\"\(word)\""), "\(word)")
    }
  }

  @Test func aCycleIsDrawnAsOne() {
    a.ready = b.succeeded
    b.ready = a.succeeded

    #expect(lines(from: "p0").first?.hasPrefix("  p0 -> p1") == true)
    #expect(lines(from: "p1").first?.hasPrefix("  p1 -> p0") == true)
  }

  private func lines(from node: String) -> [String] {
    pond.dot().split(separator: "\n").map(String.init).filter { $0.hasPrefix("  \(node) -> ") }
  }
}
