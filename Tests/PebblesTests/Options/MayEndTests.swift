import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of services that are allowed to end by themselves.
@Suite(.watched) struct MayEndTests {
  private let journal = Logbook<String>()

  @Test(arguments: [false, true]) func oneThatReturnsHasEndedWell(endsAtOnce: Bool) async throws {
    let pond = Pond("boot")
    let gate = Gate()
    let imports: Pebble<Int> = pond.service(
      "import", .ending(.mayEnd), teardown: { [journal] in journal.note("close \($0)") }
    ) { ready in
      ready(1)
      if !endsAtOnce { await gate.passed() }
    }
    let after = pond.pebble("after", needs: imports) { $0 + 1 }
    let run = try pond.start(eventHistory: 100)
    #expect(try await run.report[after] == 2)
    gate.open()
    try await until { run.status.running.isEmpty }

    #expect(run.status.phase == .over)
    // What it has opened is there for those that have taken it.
    #expect(journal.entries == [])
    try await run.shutdown().check()
    #expect(journal.entries == ["close 1"])
    let report = try await run.report
    let record = try #require(report.record(of: imports))
    #expect(record.serviceEnd?.wasAsked == false)
    #expect(!record.isServiceDown)
    #expect(report.exitCode == 0)
    try report.check()
    let kinds = await run.events.reduce(into: []) { $0.append($1.kind) }
    #expect(kinds.filter { $0 == .serviceEnded }.count == 1)
    #expect(!kinds.contains(.stopRequested))
  }

  @Test func oneThatThrowsHasNot() async throws {
    let pond = Pond("boot")
    pond.service("import", .ending(.mayEnd)) { (ready: ServiceReady<Void>) in
      ready()
      throw Breakdown("disk full")
    }
    let run = try pond.start()
    let report = try await run.reportAfterShutdown()

    #expect(report.records[0].isServiceDown)
    #expect(report.exitCode == 1)
  }

  @Test func oneThatThrowsIsCalledAgainUntilItReturns() async throws {
    let pond = Pond("boot")
    let attempts = Attempts(failing: 0)
    let imports: Pebble<Int> = pond.service(
      "import", .ending(.mayEnd(otherwise: .restart(.attempts(4)))),
      teardown: { [journal] in journal.note("close \($0)") }
    ) { ready in
      let attempt = try attempts.next()
      ready(attempt)
      if attempt < 3 { throw Breakdown("disk full") }
    }
    let run = try pond.start()
    _ = try await run.report
    try await until { attempts.count == 3 && run.status.running.isEmpty }
    try await run.shutdown().check()

    #expect(try await run.report.record(of: imports)?.restartCount == 2)
    #expect(journal.entries == ["close 1", "close 2", "close 3"])
    #expect(try await run.report.exitCode == 0)
  }

  @Test func oneThatReturnsBeforeItIsReadyHasFailed() async throws {
    let pond = Pond("boot")
    let imports: Pebble<Int> = pond.service("import", .ending(.mayEnd)) { _ in }
    let report = try await pond.run()

    #expect(report.outcome(of: imports).error as? ServiceError == .endedBeforeReady)
  }

  @Test func whatRunsInsideOfOneThatHasEndedWellGoesOnUntilTheShutdown() async throws {
    let pond = Pond("outer")
    let inner = Pond("inner")
    inner.pebble("database", teardown: { [journal] (_: Int) in journal.note("database") }) { 1 }
    pond.service(
      "import", .ending(.mayEnd), teardown: { [journal] (_: Int) in journal.note("import") }
    ) { ready in
      _ = try await inner.start().report
      ready(1)
    }
    let run = try pond.start()
    _ = try await run.report
    try await until { run.status.running.isEmpty }
    #expect(journal.entries == [])
    try await run.shutdown().check()
    #expect(journal.entries == ["import", "database"])
  }

  @Test func itsNameSaysWhatItMeans() {
    #expect("\(ServiceEnding.mayEnd)" == "mayEnd")
    #expect("\(ServiceEnding.mayEnd(otherwise: .ignore))" == "mayEnd(otherwise: ignore)")
    let ending = ServiceEnding.mayEnd(otherwise: .restart(.attempts(3)))
    #expect("\(ending)" == "mayEnd(otherwise: restart)")
  }
}
