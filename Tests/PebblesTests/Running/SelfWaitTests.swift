import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests that a call throws an error, and does not deadlock, if the run would have to wait for
/// itself.
@Suite(.watched) struct SelfWaitTests {
  private let pond = Pond("boot")
  private let handle = RunHandle()

  @Test func aPondThatRunsItselfIsAnError() async throws {
    let pebble = pond.pebble("pebble") { [weak pond] in
      _ = try await #require(pond).run()
    }

    let report = try await pond.run()

    #expect(faults(of: pebble, in: report) == [.runsItself])
    #expect(
      (report.outcome(of: pebble).error as? PondError)?.description == """
        the pond "boot" cannot run:
          - a body runs its own pond, which would run it again, without end; run another pond \
        there
        """)
  }

  @Test func startingOrRefreshingItselfIsAnErrorToo() async throws {
    let start = pond.pebble("start") { [weak pond] in _ = try #require(pond).start() }
    let refresh = pond.pebble("refresh") { [weak pond] in
      _ = try await #require(pond).refresh()
    }
    let signal = pond.pebble("signal") { [weak pond] in
      _ = try await #require(pond).run(untilSignal: [.hangup])
    }

    let report = try await pond.refresh()

    #expect(faults(of: start, in: report) == [.runsItself])
    #expect(faults(of: refresh, in: report) == [.runsItself])
    #expect(faults(of: signal, in: report) == [.runsItself])
  }

  @Test(arguments: [PebbleTrait.traits(), .timeout(.seconds(1000))])
  func aPondThatRunsItselfThroughOthersIsAnError(_ timeout: PebbleTrait) async throws {
    let (middle, inner) = (Pond("middle"), Pond("inner"))
    pond.pebble("one", timeout) { _ = try await middle.run() }
    middle.pebble("two", timeout) {
      try await withThrowingTaskGroup { group in
        group.addTask { _ = try await inner.run() }
        try await group.waitForAll()
      }
    }
    let three = inner.pebble("three", timeout) { [weak pond] in
      _ = try await #require(pond).run()
    }

    let report = try await pond.run()
    let nested = report.record(named: "one")?.nestedReports.first?
      .record(named: "two")?.nestedReports.first

    #expect(faults(of: three, in: try #require(nested)) == [.runsItself])
  }

  @Test func aReportAwaitedInsideOfItsRunIsAnError() async throws {
    let started = Gate()
    let pebble = pond.pebble("pebble") { [handle] in
      await started.passed()
      _ = try await handle.run.report
    }

    let report = try await start(opening: started).report

    #expect(faults(of: pebble, in: report) == [.waitsForItself])
    #expect(
      PondError.Fault.waitsForItself.description
        == "a body waits for a run that cannot end before the body does; wait for it outside")
  }

  @Test func aReportAwaitedInsideOfARunInsideIsAnErrorToo() async throws {
    let started = Gate()
    let pebble = pond.pebble("pebble") { [handle] in
      await started.passed()
      let inner = Pond("inner")
      let inside = inner.pebble("inside") { _ = try await handle.run.report }
      let report = try await inner.run()
      throw try #require(report.outcome(of: inside).error)
    }

    let report = try await start(opening: started).report

    #expect(faults(of: pebble, in: report) == [.waitsForItself])
  }

  @Test func aShutdownInsideOfABodyBeginsButIsNotWaitedFor() async throws {
    let (started, undone) = (Gate(), Gate())
    let database = pond.pebble("database", teardown: { undone.open() }) {}
    let pebble = pond.pebble("pebble", when: database.succeeded) { [handle] in
      await started.passed()
      try await handle.run.shutdown()
    }
    let after = pond.pebble("after", when: pebble.failed) {}

    let report = try await start(opening: started).report

    #expect(faults(of: pebble, in: report) == [.waitsForItself])
    #expect(report.cancellation == .shutdown)
    #expect(report.outcome(of: after).skipReason == .cancelled)
    #expect(undone.isOpen)
  }

  @Test func aShutdownInsideOfAServiceBeginsButIsNotWaitedFor() async throws {
    let (booted, undone) = (Gate(), Gate())
    let faults = Logbook<[PondError.Fault]>()
    pond.service("admin", teardown: { undone.open() }) { [handle] ready in
      ready()
      await booted.passed()
      faults.note(await handle.faultsOfShutdown())
      // Cancelled by it, and asks once more while it is being stopped.
      try? await untilCancelled()
      faults.note(await handle.faultsOfShutdown())
    }

    let run = try start()
    let report = try await run.report
    booted.open()
    try await run.shutdown().check()

    #expect(faults.entries == [[.waitsForItself], [.waitsForItself]])
    #expect(!report.isCancelled)
    #expect(undone.isOpen)
  }

  @Test func aRunInsideOfAServiceMayNotWaitForItsShutdownEither() async throws {
    let booted = Gate()
    let faults = Logbook<[PondError.Fault]>()
    pond.service("admin") { [handle] ready in
      ready()
      await booted.passed()
      let inner = Pond("inner")
      inner.pebble("inside") {
        faults.note(await handle.faultsOfShutdown())
      }
      _ = try await inner.run()
    }

    let run = try start()
    _ = try await run.report
    booted.open()
    // The shutdown cancels the service, which might not have started the inner run yet.
    try await until { !faults.entries.isEmpty }
    try await run.shutdown().check()

    #expect(faults.entries == [[.waitsForItself]])
  }

  @Test func aTeardownThatWaitsForTheShutdownIsAnError() async throws {
    pond.pebble("database", teardown: { [handle] in try await handle.run.shutdown() }) {}

    let run = try start()
    let report = try await run.report
    let shutdown = try await run.shutdown()

    #expect((shutdown.failures.first?.error as? PondError)?.faults == [.waitsForItself])
    #expect(report.shutdown?.failures.count == 1)
  }

  @Test func aTeardownMayReadTheReportUnlessThatWaitsForIt() async throws {
    let started = Gate()
    let names = Logbook<String>()
    let database = pond.pebble(
      "database", teardown: { [handle] in names.note(try await handle.run.report.pondName) }
    ) {}
    pond.service("server") { [handle] ready in
      ready()
      try? await untilCancelled()
      names.note((try? await handle.run.report.pondName) ?? "error")
    }
    let orderly = try start()
    _ = try await orderly.report
    try await orderly.shutdown().check()
    #expect(names.entries == ["boot", "boot"])

    pond.pebble("slow", when: database.succeeded) {
      started.open()
      try await untilCancelled()
    }
    let cancelled = try start()
    await started.passed()
    cancelled.cancel()
    let report = try await cancelled.report

    #expect(report.shutdown?.failures.map(\.pebble) == ["database"])
    #expect((report.shutdown?.failures.first?.error as? PondError)?.faults == [.waitsForItself])
    #expect(report.word("server") != "succeeded" || names.entries.last == "error")
  }

  @Test func aTaskThatOutlivesItsBodyMayWaitForTheRunOnceThatIsOver() async throws {
    let booted = Gate()
    let outcome = Promise<Result<Int, any Error>>()
    pond.pebble("database", teardown: {}) { [handle] in
      Task {
        await booted.passed()
        outcome.fulfill(
          await Result {
            _ = try await handle.run.report
            return try await handle.run.shutdown().records.count
          })
      }
    }

    let run = try start()
    _ = try await run.report
    booted.open()

    #expect(try await outcome.value().get() == 1)
  }

  @Test func aPondMayRunAgainFromItsServiceOnceTheBootIsOver() async throws {
    let booted = Gate()
    let runs = Logbook<Bool>()
    pond.service("again", .enabled { runs.count == 0 }) { [weak pond] ready in
      ready()
      await booted.passed()
      runs.note(true)
      runs.note(try await #require(pond).run().isAllSucceeded)
    }

    let run = try start()
    _ = try await run.report
    booted.open()
    try await until { runs.count == 2 }
    try await run.shutdown().check()

    #expect(runs.entries == [true, false])
  }

  @Test(arguments: 2...5)
  func runsThatWaitForEachOtherAreAnError(_ count: Int) async throws {
    let meeting = Meeting(of: count)
    let handles = (0..<count).map { _ in RunHandle() }
    let started = Gate()
    for number in 0..<count {
      let pond = Pond("\(number)")
      pond.pebble("waits for the next") {
        await started.passed()
        await meeting.attend()
        _ = try await handles[(number + 1) % count].run.report
      }
      handles[number].hold(try pond.start())
    }
    started.open()

    var faults: [[PondError.Fault]] = []
    for handle in handles {
      let error = try await handle.run.report.records.first?.outcome.error
      if let error { faults.append((error as? PondError)?.faults ?? []) }
    }

    #expect(faults == [[.waitsForItself]])
  }

  @Test func refreshesThatWaitForEachOtherAreAnError() async throws {
    let other = Pond("other")
    let meeting = Meeting(of: 2)
    pond.pebble("pebble") {
      await meeting.attend()
      _ = try await other.refresh()
    }
    other.pebble("pebble") { [weak pond] in
      await meeting.attend()
      _ = try await #require(pond).refresh()
    }

    async let one = pond.refresh()
    async let two = other.refresh()
    let errors = try await [one, two].map { $0.records.first?.outcome.error }

    // Whoever waits first gets its report; the second to wait would have closed the cycle.
    #expect(errors.compactMap { ($0 as? PondError)?.faults } == [[.waitsForItself]])
    #expect(errors.count { $0 == nil } == 1)
  }

  @Test func waitingForOneRunInManyPlacesIsNoCycle() async throws {
    let gate = Gate()
    let shared = Pond("shared")
    shared.pebble("slow") { await gate.passed() }
    let run = try shared.start()
    for number in 0..<20 { pond.pebble("\(number)") { _ = try await run.report } }
    let outer = Pond("outer")
    outer.pebble("pond") { [pond] in try await pond.run().check() }
    outer.pebble("shared") {
      gate.open()
      try await run.shutdown().check()
    }

    let report = try await outer.run()

    #expect(report.isAllSucceeded)
  }

  @Test func aRunThatNobodyInsideWaitsForMayWaitForTheRunAround() async throws {
    let (started, gate, booted) = (Gate(), Gate(), Gate())
    let inner = Pond("inner")
    let inside = inner.pebble("inside") { [handle] in
      await booted.passed()
      let run = try handle.run
      gate.open()
      return try await run.report.pondName
    }
    let starts = pond.pebble("starts") {
      await started.passed()
      return try inner.start()
    }
    pond.pebble("slow", when: starts.settled) { await gate.passed() }

    let run = try start(opening: started)
    try await until { run.status.settled == 1 }
    booted.open()
    let report = try await run.report

    #expect(try await report[starts]?.report[inside] == "boot")
  }

  private func start(opening gate: Gate? = nil) throws -> Run {
    let run = try pond.start()
    handle.hold(run)
    gate?.open()
    return run
  }

  private func faults<Output>(
    of pebble: Pebble<Output>, in report: Report
  ) -> [PondError.Fault]? {
    (report.outcome(of: pebble).error as? PondError)?.faults
  }
}

/// A holder through which the bodies of a run receive the run.
private final class RunHandle: Sendable {
  private let held = Mutex<Run?>(nil)

  var run: Run {
    get throws { try #require(held.withLock { $0 }) }
  }

  func hold(_ run: Run) {
    held.withLock { $0 = run }
  }

  /// Shuts down the run, and returns the faults of the error that this throws. The array is empty
  /// if no error is thrown.
  func faultsOfShutdown() async -> [PondError.Fault] {
    do {
      try await run.shutdown()
      return []
    } catch {
      return (error as? PondError)?.faults ?? []
    }
  }
}
