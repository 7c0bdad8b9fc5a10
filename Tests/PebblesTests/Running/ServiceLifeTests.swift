import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of services with inputs and outputs, and of their runs.
@Suite(.watched) struct ServiceLifeTests {
  private let journal = Logbook<String>()

  @Test func aServiceTakesInputsAndHasAnOutput() async throws {
    let pond = Pond("server")
    let settings = pond.pebble("settings") { 8080 }
    let database: Pebble<String> = pond.service(
      "database", needs: settings, teardown: { [journal] in journal.note("close \($0)") }
    ) { ready, port in
      ready("db:\(port)")
      await ready.stopRequested()
      _ = port
    }
    pond.service("http", needs: database, settings) { [journal] ready, database, port in
      journal.note("serve \(database) on \(port)")
      ready()
      await ready.stopRequested()
    }
    let run = try pond.start()
    let report = try await run.report
    #expect(try report.value(of: database) == "db:8080")

    try await run.shutdown().check()

    #expect(journal.entries == ["serve db:8080 on 8080", "close db:8080"])
  }

  @Test func aServiceWithInputsWorksInACluster() async throws {
    let inner = Pond("inner")
    let settings = inner.pebble("settings") { 7 }
    inner.service("server", needs: settings) { [journal] ready, settings in
      journal.note("\(settings)")
      ready()
      await ready.stopRequested()
    }
    let pond = Pond("outer")
    pond.pebble("first") { 1 }
    pond.add(inner, as: "inner")
    let run = try pond.start()
    try await run.report.check()
    try await run.shutdown().check()

    #expect(journal.entries == ["7"])
  }

  @Test func aBodyFindsItsRun() async throws {
    let pond = Pond("server")
    let found = Logbook<RunIdentifier?>()
    pond.pebble("plain") { found.note(PebbleContext.current?.run?.identifier) }
    pond.service("http") { ready in
      found.note(PebbleContext.current?.run?.identifier)
      ready()
    }
    let run = try pond.start()
    _ = try await run.report

    #expect(found.entries == [run.identifier, run.identifier])
  }

  @Test func aBodyTestedByHandFindsNone() {
    #expect(PebbleContext(pond: "boot", pebble: "load").run == nil)
  }

  // MARK: - Orderly ends

  @Test func whatAShutdownDuringTheBootCancelsIsNoFailure() async throws {
    let pond = Pond("server", onFailure: .cancelAll)
    let started = Gate()
    let slow = pond.pebble("slow") {
      started.open()
      try await untilCancelled()
    }
    let run = try pond.start()
    await started.passed()
    try await run.shutdown()
    let report = try await run.report

    #expect(report.failed(slow))
    #expect(report.record(of: slow)?.wasCancelled == true)
    #expect(report.cancellation == .shutdown)
    try report.check()
    #expect(report.exitCode == 0)
    #expect(run.status.phase == .shutDown)
  }

  @Test func whatFailedBeforeTheCancellationIsOne() async throws {
    let pond = Pond("server", onFailure: .cancelAll)
    let started = Gate()
    pond.pebble("slow") {
      started.open()
      try await untilCancelled()
    }
    pond.pebble("broken") {
      await started.passed()
      throw Breakdown()
    }
    let report = try await pond.run()

    #expect(report.unhandledFailures.map(\.name) == ["broken"])
    #expect(report.exitCode == 1)
  }

  @Test func aPassedDeadlineIsAFailure() async throws {
    let pond = Pond("server")
    let clock = AlarmClock()
    pond.pebble("slow") { try await untilCancelled() }
    let run = try pond.start(clock: clock, within: .seconds(5))
    await clock.asleep(1)
    clock.advance(by: .seconds(5))
    let report = try await run.report

    #expect(report.exitCode == 1)
    #expect(throws: RunFailed.self) { try report.check() }
  }

  // MARK: - Runs inside of runs, and refreshes

  @Test func aRefreshOfAPondWithServicesIsAFault() async throws {
    let pond = Pond("p")
    pond.service(String(repeating: "watch", count: 20)) { ready in ready() }

    let error = await #expect(throws: PondError.self) { try await pond.refresh() }

    let name = String(repeating: "watch", count: 11) + "watc…"
    #expect(error?.faults.first?.description.contains("the service \"\(name)\"") == true)
  }

  @Test(arguments: [false, true])
  func theServicesOfAnInnerRunAreShutDownWithTheOuterOne(outerHasTeardown: Bool) async throws {
    let inner = Pond("inner")
    inner.service("watch") { [journal] ready in
      ready()
      await ready.stopRequested()
      journal.note("watch stopped")
    }
    let outer = Pond("outer")
    let first = outer.pebble("runs the inner one") { _ = try await inner.run() }
    if outerHasTeardown {
      outer.pebble(
        "after", when: first.succeeded, teardown: { [journal] in journal.note("after undone") }
      ) {}
    }
    let run = try outer.start()
    _ = try await run.report
    #expect(journal.count == 0)

    try await run.shutdown().check()

    #expect(journal.entries == (outerHasTeardown ? ["after undone"] : []) + ["watch stopped"])
  }
}
