import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that texts, and the data kept by reports, are bounded regardless of the size of a run.
@Suite(.watched, .serialized) struct BoundedTests {
  private let endless = String(repeating: "x", count: 1_000_000)

  @Test func aHundredUnhandledFailuresAreShown() async throws {
    let pond = Pond("failing")
    for number in 0..<2_000 {
      pond.pebble("p\(number)") { throw Breakdown("no route") }
    }

    let report = try await pond.run()
    let error = try #require(throws: RunFailed.self) { try report.check() }

    let lines = error.description.split(separator: "\n")
    #expect(error.unhandledFailures.count == 2_000)
    #expect(lines.count == 102)
    #expect(lines[1] == "  - p0 failed: no route")
    #expect(lines.last == "  … and 1900 more")
  }

  @Test func aHundredFaultsAreShown() {
    let faults = (0..<100_000).map { PondError.Fault.emptyName(position: $0) }

    let lines = PondError(pondName: endless, faults: faults).description.split(separator: "\n")

    #expect(lines.count == 102)
    #expect(lines[0].count < 100)
    #expect(lines.last == "  … and 99900 more")
  }

  @Test func faultsCutNames() {
    let faults: [PondError.Fault] = [
      .duplicateName(endless, count: 2),
      .foreignPebble(endless, ofPond: endless, mentionedBy: endless),
      .invalidOption(pebble: endless, problem: endless),
    ]

    #expect(PondError(pondName: endless, faults: faults).description.utf8.count < 5_000)
  }

  @Test func aShutdownCutsWhatItsFailuresSay() async throws {
    let pond = Pond(endless)
    pond.pebble(endless, teardown: { [endless] in throw Breakdown(endless) }) {}
    let run = try pond.start()
    _ = try await run.report

    let report = try await run.shutdown()
    let error = try #require(throws: TeardownFailures.self) { try report.check() }

    #expect(report.description.utf8.count < 2_000)
    #expect(error.description.utf8.count < 2_000)
  }

  // MARK: Followers

  @Test func whatFollowsASkipIsFoldedIntoItsLine() async throws {
    let pond = Pond("boot")
    let config = pond.pebble("config") { throw Breakdown("there is none") }
    var last = pond.pebble("database", when: config.succeeded) {}
    for number in 0..<18 { last = pond.pebble("step\(number)", when: last.succeeded) {} }
    let other = pond.pebble("other", when: config.succeeded) {}
    pond.pebble("only", when: other.succeeded) {}

    let report = try await pond.run()

    let summary = report.description
    #expect(summary.hasPrefix("boot: 1 failed, 21 blocked"))
    #expect(
      summary.hasSuffix(
        """
        blocked
          database was blocked: it needs config to succeed, but config failed, and 18 more followed
          other was blocked: it needs config to succeed, but config failed
          only was blocked: it needs other to succeed, but other was blocked
        """))
    #expect(
      report.record(named: "step7")?.explanation
        == "step7 was blocked: it needs step6 to succeed, but step6 was blocked")
  }

  @Test func followersDefinedBeforeTheRootAreFoldedToo() async throws {
    let pond = Pond("boot")
    let (first, second) = (pond.pebble("first") {}, pond.pebble("second") {})
    let root = pond.pebble("root", .enabled { false }) {}
    second.ready = root.succeeded
    first.ready = second.succeeded

    let summary = try await pond.run().description

    #expect(
      summary.hasSuffix(
        """
        not needed
          first was not needed: it needs second to succeed, but second was not needed
          second was not needed: it needs root to succeed, but root was skipped

        disabled
          root was skipped: it was disabled for this run
        """))
  }

  // MARK: Nested reports

  @Test func aPebbleKeepsTheNewestHundredReportsOfItsRuns() async throws {
    let outer = Pond("outer")
    let pebble = outer.pebble("many") {
      for number in 0..<150 { _ = try await Pond("inner \(number)").run() }
    }

    let record = try #require(try await outer.run().record(of: pebble))

    #expect(record.nestedReports.count == 100)
    #expect(record.nestedReports.first?.pondName == "inner 50")
    #expect(record.nestedReports.last?.pondName == "inner 149")
    #expect(record.droppedNestedReports == 50)
  }

  @Test func aRunKeepsAThousandReportsInAll() async throws {
    let outer = Pond("outer")
    for number in 0..<3 {
      outer.pebble("o\(number)") {
        for _ in 0..<40 {
          let middle = Pond("middle")
          middle.pebble("m") {
            for _ in 0..<20 { _ = try await Pond("inner").run() }
          }
          _ = try await middle.run()
        }
      }
    }

    let report = try await outer.run()

    let kept = report.records.flatMap(\.nestedReports)
    #expect(kept.count == 1_000 / 21)
    #expect(kept.allSatisfy { $0.records[0].nestedReports.count == 20 })
    #expect(report.records.map(\.droppedNestedReports).reduce(0, +) == 120 - kept.count)
  }

  // MARK: Headings

  @Test func theHeadingSaysWhatCannotBeDone() async throws {
    let pond = Pond("boot")
    pond.pebble("only") {}
    let run = try pond.start()
    _ = try await run.report

    await expect(heading: "the pond \"boot\" cannot be shut down like this:") {
      _ = try await run.shutdown(within: .zero)
    }
    await expect(heading: "the pond \"boot\" cannot run until a signal:") {
      _ = try await pond.run(untilSignal: [])
    }
    await expect(heading: "the pond \"boot\" cannot run:") {
      _ = try await pond.run(untilSignal: [], shutdownWithin: .zero)
    }
    await expect(heading: "the pond \"boot\" cannot run:") {
      _ = try await pond.run(within: .zero)
    }
  }

  private func expect(
    heading: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
  ) async {
    let error = await #expect(throws: PondError.self, sourceLocation: sourceLocation) {
      try await body()
    }
    let first = error?.description.split(separator: "\n").first.map(String.init)
    #expect(first == heading, sourceLocation: sourceLocation)
  }
}
