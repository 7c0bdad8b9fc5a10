import Foundation
import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct ClusterDrawingTests {
  private let boot = Pond("boot")

  init() {
    let cache = Pond("cache pond")
    let load = cache.pebble("load") {}
    cache.pebble("prune", when: (load.failed || .never) && load.settled) {}
    let store = Pond("store")
    store.add(cache, as: "cache")
    store.pebble("open") {}
    boot.pebble("first") {}
    let cluster = boot.add(store, as: "store")
    boot.add(Pond("empty"), as: "empty")
    boot.pebble("last", when: cluster.settled) {}
  }

  @Test func boxesAreDrawnInDOT() {
    #expect(
      boot.dot().contains(
        """
          p0 [label="first"]
          p4 [label="last"]
          subgraph cluster_0 { graph [label="store", style=rounded, color="#90a4ae", fontsize=11]
            p3 [label="open"]
            subgraph cluster_1 { graph [label="cache", style=rounded, color="#90a4ae", fontsize=11]
              p1 [label="load"]
              p2 [label="prune"]
              g5 [label="or", shape=circle, width=0.36, fixedsize=true, fontsize=9, \
        fillcolor="#eceff1"]
              c0 [label="never", shape=plaintext, style="", fontsize=9]
            }
          }

        """))
  }

  @Test func boxesAreDrawnInMermaid() {
    #expect(
      boot.mermaid().hasPrefix(
        """
        flowchart LR
          p0["first"]
          p4["last"]
          subgraph b0["store"]
            p3["open"]
            subgraph b1["cache"]
              p1["load"]
              p2["prune"]
              g5(("or"))
              c0[/"never"/]
            end
          end

        """))
  }

  @Test func aConditionSharedAcrossBoxesIsDrawn() throws {
    let other = Pond("other")
    let root = other.pebble("root") {}
    let shared = (0..<20).reduce(root.succeeded) { condition, level in
      level.isMultiple(of: 2) ? condition && condition : condition || condition
    }
    other.pebble("a", when: shared || root.failed) {}
    other.pebble("b", when: !shared || (root.skipped && shared)) {}
    let pond = Pond("pond")
    pond.add(other, as: "one")
    pond.add(other, as: "two")
    let cluster = pond.add(other, as: "three")
    pond.pebble("c", when: cluster[root].succeeded && (cluster.succeeded || cluster.settled)) {}

    #expect(pond.mermaid().contains("subgraph b2[\"three\"]"))
    if Graphviz.isInstalled { _ = try Graphviz.svg(pond.dot()) }
  }

  @Test(.enabled(if: Graphviz.isInstalled, Comment(rawValue: Graphviz.howToInstall)))
  func graphvizDrawsEveryBoxBeforeAndAfterARun() async throws {
    let report = try await boot.run()

    for text in [boot.dot(legend: true), report.dot(legend: true)] {
      let svg = try Graphviz.svg(text)
      // And one for the legend.
      #expect(svg.components(separatedBy: "class=\"cluster\"").count - 1 == 3)
      for name in ["store", "cache", "load", "prune", "open"] { #expect(svg.contains(">\(name)<")) }
    }
  }

  @Test(.enabled(if: Graphviz.isInstalled, Comment(rawValue: Graphviz.howToInstall)))
  func boxesOfHostileNamesAreDrawn() async throws {
    let pond = Pond("hostile")
    for name in HostileNames.all {
      let inner = Pond("inner")
      inner.pebble(name) {}
      let middle = Pond("middle")
      middle.add(inner, as: name)
      pond.add(middle, as: name)
    }

    let svg = try Graphviz.svg(pond.dot())

    #expect(svg.components(separatedBy: "class=\"node\"").count - 1 == HostileNames.all.count)
    #expect(
      svg.components(separatedBy: "class=\"cluster\"").count - 1 == 2 * HostileNames.all.count)
  }

  @Test(arguments: HostileNames.all)
  func aHostileNameStaysInsideItsQuotesInMermaid(name: String) throws {
    let other = Pond(name)
    other.pebble(name) {}
    let pond = Pond(name)
    pond.add(other, as: name)

    let lines = pond.mermaid().split(separator: "\n", omittingEmptySubsequences: false)

    #expect(lines.count == 5)
    let box = try #require(lines.dropFirst().first)
    #expect(box.hasPrefix("  subgraph b0[\""))
    #expect(box.hasSuffix("\"]"))
    let inside = box.dropFirst(15).dropLast(2)
    #expect(!inside.contains { "\"<>`\\&[]{}|\n".contains($0) })
    // The pebble is called in its box what it was called at home.
    let alone = other.mermaid().split(separator: "\n")[1]
    #expect(lines[2] == "  \(alone)")
  }

  @Test func clustersWithFaultsAreDrawn() throws {
    let other = Pond("other")
    other.pebble("") {}
    other.add(other, as: "itself")
    let pond = Pond("pond")
    pond.add(other, as: "")
    pond.add(other, as: "twice")
    pond.add(other, as: "twice")

    #expect(pond.dot().contains("has 2 clusters named"))
    #expect(pond.mermaid().contains("subgraph b0[\"\"]"))
    if Graphviz.isInstalled { _ = try Graphviz.svg(pond.dot()) }
  }

  @Test func deepNestingIsDrawn() async throws {
    var pond = Pond("0")
    pond.pebble("core") {}
    for number in 1...300 {
      let outer = Pond("\(number)")
      outer.add(pond, as: "n")
      pond = outer
    }

    let mermaid = pond.mermaid()

    #expect(mermaid.split(separator: "\n").filter { $0.hasSuffix(" end") }.count == 300)
    #expect(mermaid.contains("p0[\"core\"]"))
    #expect(try await pond.run().isAllSucceeded)
  }
}
