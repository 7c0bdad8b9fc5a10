import Testing

@testable import Pebbles

@Suite struct MermaidTests {
  private let pond = Pond("drawing")
  private let a: Pebble<Void>
  private let b: Pebble<Void>

  init() {
    a = pond.pebble("a") {}
    b = pond.pebble("b") {}
  }

  @Test func aSmallPondIsWrittenInFull() {
    let c = pond.pebble("c", when: a.succeeded && b.completed) {}
    pond.pebble("d", when: c.failed || a.skipped) {}

    #expect(
      pond.mermaid() == """
        flowchart LR
          p0["a"]
          p1["b"]
          p2["c"]
          p3["d"]
          g3(("or"))
          g3 --> p3
          p0 --> p2
          p0 -->|skipped| g3
          p1 -->|completed| p2
          p2 -->|failed| g3

        """)
  }

  @Test func constantsLabelsAndFaultsHaveShapesOfTheirOwn() {
    let stranger = Pond("elsewhere").pebble("stranger") {}
    pond.pebble("c", when: a.succeeded && b.failed.labeled("no b")) {}
    pond.pebble("d", when: .never) {}
    pond.pebble("e", when: stranger.succeeded) {}

    let mermaid = pond.mermaid()

    #expect(mermaid.contains("([\"no b\"])\n"))
    #expect(mermaid.contains("[/\"never\"/]\n"))
    #expect(mermaid.contains("  n0>\"#34;e#34; mentions #34;stranger#34;, which belongs to"))
  }

  @Test(arguments: [
    ("1. load", "1#46; load"), ("1) load", "1#41; load"), ("- load", "#45; load"),
    ("+ load", "#43; load"), ("* load", "#42; load"), ("__load__", "#95;#95;load#95;#95;"),
  ])
  func aNameIsNoMarkdown(name: String, label: String) {
    let pond = Pond("lists")
    pond.pebble(name) {}

    #expect(pond.mermaid() == "flowchart LR\n  p0[\"\(label)\"]\n")
  }

  @Test(arguments: HostileNames.all)
  func aHostileNameStaysInsideItsQuotes(name: String) throws {
    let pond = Pond(name)
    pond.pebble(name) {}

    let lines = pond.mermaid().split(separator: "\n", omittingEmptySubsequences: false)

    #expect(lines.count == 3)
    let label = try #require(lines.dropFirst().first)
    #expect(label.hasPrefix("  p0[\""))
    #expect(label.hasSuffix("\"]"))
    let inside = label.dropFirst(6).dropLast(2)
    #expect(!inside.contains { "\"<>`\\&;[]{}|\n".contains($0) && $0 != ";" })
    #expect(inside.count < 1_000)
  }
}
