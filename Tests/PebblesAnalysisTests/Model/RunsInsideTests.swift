import PebblesDurable
import PebblesTestSupport
import Testing

@testable import Pebbles
@testable import PebblesAnalysis

/// Tests of the number of nested runs that the record of a run contains.
@Suite(.watched) struct RunsInsideTests {
  /// Returns a pond in which each pebble runs another pond the given number of times.
  private func pond(_ pebbles: Int, running inner: Pond, times: Int) -> Pond {
    let pond = Pond("outer")
    for number in 0..<pebbles {
      pond.pebble("p\(number)") { for _ in 0..<times { _ = try await inner.run() } }
    }
    return pond
  }

  @Test func theyAreRecordedEightDeep() async throws {
    let outer = (0..<10).reduce(Pond("innermost")) { inner, _ in
      pond(1, running: inner, times: 1)
    }

    let run = try await outer.run().recorded()

    let chain = Array(sequence(first: run) { $0.nested.first?.run })
    #expect(chain.count == 1 + 8)
    #expect(chain.map(\.omittedNestedRuns) == [0, 0, 0, 0, 0, 0, 0, 0, 1])
  }

  @Test func thoseThatAReportHasDroppedAreCounted() async throws {
    let run = try await pond(1, running: Pond("inner"), times: 103).run().recorded()

    #expect(run.nested.count == 100)
    #expect(run.omittedNestedRuns == 3)
  }

  /// Checks that a thousand nested runs are recorded. The middle run counts as well, so there is no
  /// room for the last of the thousand runs inside it.
  @Test func aThousandOfThemAreRecorded() async throws {
    let middle = pond(10, running: Pond("inner"), times: 100)

    let run = try await pond(1, running: middle, times: 1).run().recorded()

    let inside = try #require(run.nested.first?.run)
    #expect(run.nested.count + inside.nested.count == 1_000)
    #expect(run.omittedNestedRuns + inside.omittedNestedRuns == 1)
  }

  @Test func aThousandShutdownsInsideAreRecordedWithTheirTimes() throws {
    let report = try report(from: 2, to: 5)
    let inner = ShutdownReport(pondName: "inner", run: nil, pebbles: [])
    let nested = Array(repeating: inner, count: 1_001)

    report.storage.tornDown(
      ShutdownReport(
        pondName: "app", run: report, pebbles: [(step: 0, name: "load", nested: nested)]))

    let shutdown = try #require(report.recorded().shutdown)
    #expect(shutdown.nested.count == 1_000)
    #expect(
      shutdown.teardowns == [
        RecordedTeardown(pebble: 0, started: .nanoseconds(2), finished: .nanoseconds(5))
      ])
  }

  @Test func shutdownsInsideAreRecordedEightDeep() throws {
    let report = try report(from: 0, to: 1)
    func shutdown(_ inside: [ShutdownReport]) -> ShutdownReport {
      ShutdownReport(
        pondName: "app", run: report, pebbles: [(step: 0, name: "load", nested: inside)])
    }

    report.storage.tornDown((0..<10).reduce(shutdown([])) { inner, _ in shutdown([inner]) })

    let recorded = try #require(report.recorded().shutdown)
    let chain = sequence(first: recorded.nested.first) { $0?.nested.first }.prefix { $0 != nil }
    #expect(chain.count == 8)
  }

  /// Returns the report of a run with one pebble.
  private func report(from start: Int64, to end: Int64) throws -> Report {
    let pond = Pond("app")
    pond.pebble("load") {}
    let scheduler = try Scheduler(pond)
    try scheduler.start(0, at: .nanoseconds(start))
    try scheduler.settle(0, succeeded: true, at: .nanoseconds(end))
    return try #require(scheduler.report)
  }
}
