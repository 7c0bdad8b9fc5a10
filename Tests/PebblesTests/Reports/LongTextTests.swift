import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that the texts about a pond and its runs are short enough to read, regardless of the
/// length of names, errors and conditions, and of the number of pebbles.
@Suite(.watched, .serialized) struct LongTextTests {
  private let pond = Pond("long")
  private let endless = String(repeating: "x", count: 1_000_000)

  @Test func anExplanationCutsNamesAndLabels() async throws {
    let odd = pond.pebble(endless) {}
    let last = pond.pebble("y" + endless, when: odd.failed.labeled("z" + endless)) {}

    let sentence = try #require(try await pond.run().record(of: last)).explanation

    let cut = String(repeating: "x", count: 58)
    #expect(
      sentence
        == "y\(cut)… was not needed: it needs \"z\(cut)…\", that is x\(cut)… to fail, "
        + "but x\(cut)… succeeded")
  }

  @Test func explanationsAndSummariesCutErrors() async throws {
    let failing = pond.pebble("failing") { throw Breakdown(endless) }

    let report = try await pond.run()

    #expect(report.description.utf8.count < 1_000)
    let sentence = try #require(report.record(of: failing)).explanation
    #expect(sentence.hasSuffix("x…"))
    #expect(sentence.count == "failing failed: ".count + 500)
  }

  @Test func aConditionIsElidedAfterAMillionBytes() {
    let named = pond.pebble(String(repeating: "é", count: 100_000)) {}
    let wide = Condition.any((0..<100).map { _ in named.failed })

    #expect(wide.description.hasSuffix(" || …"))
    #expect((1_000_000..<1_300_000).contains(wide.description.utf8.count))
  }

  @Test func labelsInsideLabelsAreElidedAfterAMillionBytes() {
    let named = pond.pebble("a") {}
    let deep = (0..<2_000).reduce(named.failed) { inner, _ in
      inner.labeled(String(repeating: "x", count: 10_000))
    }

    #expect(deep.description.hasSuffix("…"))
    #expect(deep.description.utf8.count < 1_100_000)
  }

  @Test func aPondShowsItsFirstTwoHundredPebbles() {
    for number in 0..<250 { pond.pebble("p\(number)") {} }

    let lines = pond.description.split(separator: "\n")

    #expect(lines.count == 202)
    #expect(lines[200] == "  p199")
    #expect(lines.last == "  … and 50 more")
  }

  @Test func aPondShowsAHundredLeavesOfACondition() {
    let first = pond.pebble("first") {}
    pond.pebble("full", when: .all((0..<100).map { _ in first.succeeded })) {}
    pond.pebble("cut", when: .all((0..<101).map { _ in first.succeeded })) {}

    let lines = pond.description.split(separator: "\n")

    #expect(lines[2].hasSuffix(" && first.succeeded"))
    #expect(lines[3].hasSuffix(" && first.succeeded && …"))
    #expect(lines[3].split(separator: " && ").count == 101)
  }

  @Test func aPondCutsLongNames() {
    let long = Pond(endless)
    let first = long.pebble(endless) {}
    long.pebble("second", when: first.failed) {}

    #expect(long.description.utf8.count < 11_000)
  }

  @Test func onlyTheFirstTwoHundredPebblesOfAReportAreExplainedInAPicture() async throws {
    let count = Thoroughness.isFull ? 2_000 : 1_000
    let roots = (0..<count).map { pond.pebble("root\($0)") {} }
    let none = Condition.any(roots.map(\.failed))
    for number in 0..<count { pond.pebble("skipped\(number)", when: none) {} }

    let dot = try await pond.run().dot()

    let explained = dot.split(separator: "\n").filter { $0.contains("tooltip=") }
    #expect(explained.count == 200)
    #expect(explained.last?.contains("skipped199 was not needed: ") == true)
  }
}
