import Foundation
import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that Graphviz itself draws any pond without an error or a warning, and that the resulting
/// SVG is well-formed.
@Suite(
  .enabled(if: Graphviz.isInstalled, Comment(rawValue: Graphviz.howToInstall)), .ownThreads,
  .watched)
struct GraphvizTests {
  @Test func theBootIsDrawnBeforeAndAfterARun() async throws {
    let boot = BootPond(coresFail: true)
    let report = try await boot.pond.run()

    for text in [boot.pond.dot(legend: true), report.dot(legend: true)] {
      let svg = try Graphviz.svg(text)
      for record in report.records { #expect(svg.contains(record.name), "\(record.name)") }
    }
  }

  @Test func hostileNamesAreDrawnWithEveryNodeInPlace() async throws {
    let pond = Pond(HostileNames.all.joined(separator: " "))
    var condition = Condition.always
    for name in HostileNames.all {
      let pebble = pond.pebble(name, when: condition) { throw Breakdown(name) }
      condition = pebble.failed.labeled(name) || pebble.skipped
    }

    let report = try await pond.run()

    for text in [pond.dot(), report.dot()] {
      let svg = try Graphviz.svg(text)
      let drawn = svg.components(separatedBy: "class=\"node\"").count - 1
      // One for each pebble, and from the second on an OR and a label each.
      #expect(drawn == 3 * HostileNames.all.count - 2)
    }
  }

  @Test(arguments: HostileNames.all)
  func aHostileNameAloneIsDrawn(name: String) throws {
    let pond = Pond(name)
    pond.pebble(name) {}

    _ = try Graphviz.svg(pond.dot())
  }

  @Test(arguments: [
    ("say \"no\"", "say &quot;no&quot;"), (#"\N"#, #"\N"#), ("&lt;", "&amp;lt;"),
    ("<b>", "&lt;b&gt;"), ("two\nlines", "two⏎lines"), ("日本語", "日本語"), (#"a\"#, #"a\"#),
    ("##[x]", "##[x]"),
  ])
  func aNameIsShownAsItIs(name: String, shown: String) throws {
    let pond = Pond("names")
    pond.pebble(name) {}

    let svg = try Graphviz.svg(pond.dot())

    #expect(svg.contains(">\(shown)</text>"))
  }

  @Test func faultyPondsAreDrawnWithTheirFaults() throws {
    let pond = Pond("")
    let stranger = Pond("<other>").pebble("\"stranger\"") {}
    for name in HostileNames.all { pond.pebble(name, when: stranger.succeeded) {} }
    pond.pebble("") {}
    pond.pebble("") {}

    let svg = try Graphviz.svg(pond.dot())

    #expect(svg.contains("has an empty name"))
    #expect(svg.contains("which belongs to the pond"))
  }

  @Test func anEmptyPondIsDrawn() async throws {
    let pond = Pond("empty")

    #expect(try Graphviz.svg(pond.dot(legend: true)).contains("empty"))
    #expect(try Graphviz.svg(try await pond.run().dot()).contains("empty"))
  }

  @Test func everyKindOfLineAndNodeIsDrawn() throws {
    let pond = Pond("kinds")
    let a = pond.pebble("a") {}
    let b = pond.pebble("b") {}
    let conditions = [
      a.succeeded, a.failed, a.skipped, a.completed, a.settled, !a.succeeded, !a.failed, !a.settled,
      a.failed || b.failed, a.failed && (b.failed || a.skipped),
      (a.failed || b.failed).labeled("x"),
      .never, .never || a.failed, .all([]), .any([]), .always && .always,
    ]
    for (number, condition) in conditions.enumerated() {
      pond.pebble("c\(number)", when: condition) {}
    }
    b.ready = b.failed || a.settled

    let svg = try Graphviz.svg(pond.dot(legend: true))

    #expect(svg.contains(">never<"))
  }
}
