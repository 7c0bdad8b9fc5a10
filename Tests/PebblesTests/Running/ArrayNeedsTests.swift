import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of inputs that are arrays of inputs.
@Suite(.watched) struct ArrayNeedsTests {
  private let pond = Pond("pages")

  private func pages(_ count: Int, failing: Set<Int> = []) -> [Pebble<Int>] {
    (0..<count).map { page in
      pond.pebble("page \(page)") { () async throws -> Int in
        if failing.contains(page) { throw Breakdown("page \(page)") }
        return page * page
      }
    }
  }

  @Test func outputsArriveInTheOrderOfTheArray() async throws {
    let sum = pond.pebble("sum", needs: pages(5).reversed()) { (pages: [Int]) in pages }

    let report = try await pond.run()

    #expect(report[sum] == [16, 9, 4, 1, 0])
  }

  @Test func anArrayStandsBesideOtherInputs() async throws {
    let title = pond.pebble("title") { "squares" }
    let book = pond.pebble("book", needs: title, pages(3), title) { title, pages, again in
      "\(title) \(pages) \(again)"
    }

    let report = try await pond.run()

    #expect(report[book] == "squares [0, 1, 4] squares")
  }

  @Test func oneFailureSkipsWhatNeedsThemAll() async throws {
    let sum = pond.pebble("sum", needs: pages(4, failing: [2])) { $0.reduce(0, +) }

    let report = try await pond.run()

    #expect(report.outcome(of: sum).skipReason == .conditionFalse(decidedBy: "page 2"))
  }

  @Test func resultsOptionalsAndOutcomesMayBeArraysToo() async throws {
    let pages = pages(3, failing: [1])
    let skipped = pond.pebble("skipped", when: .never) { 9 }
    let results = pond.pebble("results", needs: pages.map(\.result)) { pages in
      pages.map { (try? $0.get()) ?? -1 }
    }
    let optionals = pond.pebble("optionals", needs: (pages + [skipped]).map(\.optional)) { $0 }
    let outcomes = pond.pebble("outcomes", needs: (pages + [skipped]).map(\.outcome)) { pages in
      pages.map { "\($0)".prefix { $0.isLetter } }
    }
    let strict = pond.pebble("strict", needs: (pages + [skipped]).map(\.result)) { $0.count }

    let report = try await pond.run()

    #expect(report[results] == [0, -1, 4])
    #expect(report[optionals] == [0, nil, 4, nil])
    #expect(report[outcomes] == ["succeeded", "failed", "succeeded", "skipped"])
    #expect(report.outcome(of: strict).skipReason == .conditionFalse(decidedBy: "skipped"))
  }

  @Test func anEmptyArrayWaitsForNothing() async throws {
    let none: [Pebble<Int>] = []
    let slow = pond.pebble("slow", when: .never) {}
    let sum = pond.pebble("sum", needs: none) { $0.reduce(7, +) }
    let late = pond.pebble("late", needs: none.map(\.result), when: slow.succeeded) { $0.count }

    let report = try await pond.run()

    #expect(report[sum] == 7)
    #expect(report.outcome(of: late).skipReason == .conditionFalse(decidedBy: "slow"))
  }

  @Test func arraysMayBeNestedAndHoldOnePebbleTwice() async throws {
    let pages = pages(2)
    let chapters = pond.pebble("chapters", needs: [pages, [], pages + pages]) { $0 }

    let report = try await pond.run()

    #expect(report[chapters] == [[0, 1], [], [0, 1, 0, 1]])
  }

  @Test func whatTheyImplyIsPartOfTheGraph() async throws {
    let pages = pages(2)
    let sum = pond.pebble("sum", needs: pages.map(\.optional), when: pages[0].completed) { _ in }

    let report = try await pond.run()

    #expect(
      report.record(of: sum)?.condition.description
        == "\"page 0\".settled && \"page 1\".settled && \"page 0\".completed")
  }

  @Test func servicesTakeThem() async throws {
    let server = pond.service("server", needs: pages(3)) { (ready: ServiceReady<Int>, pages) in
      ready(pages.count)
      await ready.stopRequested()
    }
    let run = try pond.start()

    let report = try await run.report
    try await run.shutdown().check()

    #expect(report[server] == 3)
  }

  @Test func clustersTakeThemAlong() async throws {
    let inner = Pond("inner")
    let pages = (0..<3).map { page in inner.pebble("page \(page)") { page } }
    let sum = inner.pebble("sum", needs: pages) { $0.reduce(0, +) }
    let cluster = pond.add(inner, as: "book")
    let all = pond.pebble("all", needs: (pages + [sum]).map { cluster[$0] }) { $0 }

    let report = try await pond.run()

    #expect(report[all] == [0, 1, 2, 3])
  }
}
