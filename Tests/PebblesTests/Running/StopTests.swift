import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the order in which services are asked to stop, and of the effects of these requests.
@Suite(.watched) struct StopTests {
  private let clock = AlarmClock()
  private let journal = Logbook<String>()

  // MARK: - Asked, cancelled, abandoned

  @Test func aServiceIsAskedAndNotCancelledWithinItsTime() async throws {
    let pond = Pond("server")
    pond.service("http", .stopWithin(.seconds(10))) { [journal] ready in
      ready()
      await ready.stopRequested()
      journal.note(Task.isCancelled ? "cancelled" : "asked")
    }
    let run = try pond.start(clock: clock)
    _ = try await run.report

    try await run.shutdown().check()

    #expect(journal.entries == ["asked"])
    #expect(try await run.report.record(named: "http")?.serviceEnd?.wasAsked == true)
    #expect(try await run.report.exitCode == 0)
  }

  @Test func aServiceThatDoesNotStopInItsTimeIsCancelled() async throws {
    let pond = Pond("server")
    pond.service("http", .stopWithin(.seconds(10))) { [journal] ready in
      ready()
      try? await untilCancelled()
      journal.note("cancelled")
    }
    let run = try pond.start(clock: clock)
    _ = try await run.report

    let shutdown = Task { try await run.shutdown() }
    await clock.asleep(1)
    #expect(journal.count == 0)
    clock.advance(by: .seconds(10))
    try await shutdown.value.check()

    #expect(journal.entries == ["cancelled"])
  }

  @Test func itHasNoMoreTimeIfTheShutdownMayTakeLonger() async throws {
    let pond = Pond("server")
    pond.service("http", .stopWithin(.seconds(10))) { [journal] ready in
      ready()
      try? await untilCancelled()
      journal.note("cancelled")
    }
    let run = try pond.start(clock: clock)
    _ = try await run.report

    let shutdown = Task { try await run.shutdown(within: .seconds(100)) }
    try await until { clock.sleeps.entries.contains(.seconds(10)) }
    clock.advance(by: .seconds(10))
    try await shutdown.value.check()

    #expect(journal.entries == ["cancelled"])
    #expect(clock.now.offset == .seconds(10))
  }

  @Test func withoutATimeItIsCancelledAtOnce() async throws {
    let pond = Pond("server")
    pond.service("http") { [journal] ready in
      ready()
      try? await untilCancelled()
      journal.note(ready.isStopRequested ? "asked and cancelled" : "cancelled")
    }
    let run = try pond.start(clock: clock)
    _ = try await run.report

    try await run.shutdown().check()

    #expect(journal.entries == ["asked and cancelled"])
  }

  /// Checks a cancellation at the moment when the service becomes ready, as if a signal arrived
  /// while a server was about to listen.
  @Test func oneThatIsReadyAtTheMomentOfACancellationHasNotEndedUnasked() async throws {
    let pond = Pond("server")
    let begun = Gate()
    let http = pond.service("http") { ready in
      begun.open()
      try? await untilCancelled()
      ready()
    }
    let run = try pond.start()
    await begun.passed()

    try await run.shutdown().check()

    let report = try await run.reportAfterShutdown()
    #expect(report.record(of: http)?.serviceEnd?.wasAsked == true)
    #expect(report.exitCode == 0, "\(report)")
  }

  @Test func oneThatWillNotDrainLeavesTimeForTheOthers() async throws {
    let pond = Pond("server")
    let gate = Gate()
    let database = pond.pebble("database", teardown: { [journal] in journal.note("closed") }) {}
    pond.service(
      "traffic", when: database.succeeded, teardown: { [journal] in journal.note("freed") }
    ) { ready in
      ready()
      await gate.passed()
    }
    let run = try pond.start(clock: clock)
    _ = try await run.report

    let shutdown = Task { try await run.shutdown(within: .seconds(10)) }
    // The shutdown's own timer, those of two steps in turn, and half of the time for the service.
    try await until { clock.sleeps.entries.contains(.seconds(5)) }
    clock.advance(by: .seconds(5))
    let report = try await shutdown.value

    #expect(report.duration == .seconds(5))
    #expect(journal.entries == ["closed"])
    #expect(report.failures.map(\.pebble) == ["traffic"])
    #expect(report.failures.first?.error as? ServiceError == .didNotStop)
    let running = report.records.filter(\.isStillRunning)
    #expect(running.map(\.pebble) == ["traffic"])
    gate.open()
    // What it opened is closed when it ends at last.
    try await until { journal.entries == ["closed", "freed"] }
    let stillRunning = report.records.filter(\.isStillRunning)
    #expect(stillRunning.isEmpty)
    #expect(try await run.report.exitCode == 1)
  }

  // MARK: - Before others

  @Test func aServerThatStartedFirstStopsBeforeTheDatabase() async throws {
    let pond = Pond("server")
    let http = pond.service(
      "http", .stopsBefore(.named("database")), .stopWithin(.seconds(9)),
      body: serving("http"))
    let database = pond.pebble(
      "database", when: http.succeeded, teardown: { [journal] in journal.note("database") }
    ) {}
    pond.pebble(
      "cache", when: database.succeeded, teardown: { [journal] in journal.note("cache") }
    ) {}
    let run = try pond.start()
    _ = try await run.report

    try await run.shutdown().check()

    #expect(journal.entries.firstIndex(of: "http")! < journal.entries.firstIndex(of: "database")!)
    #expect(journal.entries.firstIndex(of: "cache")! < journal.entries.firstIndex(of: "database")!)
    #expect(journal.count == 3)
  }

  @Test func namesInAClusterAreThoseInside() async throws {
    let inner = Pond("inner")
    let http = inner.service(
      "http", .stopsBefore(.named("database")), body: serving("http"))
    let database = inner.pebble(
      "database", when: http.succeeded, teardown: { [journal] in journal.note("database") }
    ) {}
    let byHandle = inner.service(
      "metrics", .stopsBefore(database), body: serving("metrics"))
    _ = byHandle
    let pond = Pond("outer")
    pond.pebble("database") {}
    pond.add(inner, as: "store")
    let run = try pond.start()
    _ = try await run.report

    try await run.shutdown().check()

    #expect(journal.entries.last == "database")
    #expect(journal.count == 3)
  }

  @Test func aCycleIsAFault() async throws {
    let pond = Pond("server")
    pond.service("a", .stopsBefore(.named("b")), body: serving("a"))
    pond.service("b", .stopsBefore(.named("c")), body: serving("b"))
    pond.service("c", .stopsBefore(.named("a")), body: serving("c"))
    pond.service("d", .stopsBefore(.named("nowhere")), body: serving("d"))

    let error = await #expect(throws: PondError.self) { try await pond.run() }

    #expect(
      error?.faults.map(\.description) == [
        "\"a\" cannot stop before itself, through \"b\", \"c\"",
        "\"d\" cannot stop before \"nowhere\", which the pond does not have",
      ])
  }

  @Test func traitsOfServicesMakeNoSenseElsewhere() async throws {
    let pond = Pond("server")
    pond.pebble("plain", .stopWithin(.seconds(1)), .stopsBefore(.named("plain"))) {}
    pond.service("hasty", .stopWithin(.zero), body: serving("hasty"))

    let error = await #expect(throws: PondError.self) { try await pond.run() }

    #expect(error?.faults.count == 3)
  }

  private func serving(
    _ name: String
  ) -> @Sendable (ServiceReady<Void>) async throws -> Void {
    { [journal] ready in
      ready()
      await ready.stopRequested()
      journal.note(name)
    }
  }

  // MARK: - Events

  @Test func anObserverInsideOfTheLastServiceDoesNotHoldUpTheShutdown() async throws {
    let pond = Pond("server")
    pond.service("http", .stopWithin(.seconds(600))) { [journal] ready in
      let events = PebbleContext.current?.run?.events
      ready()
      guard let events else { return }
      for await event in events { journal.note("\(event.kind)") }
    }
    let run = try pond.start(clock: clock)
    _ = try await run.report

    try await run.shutdown().check()

    #expect(journal.entries.contains("shutdownBegan"))
    #expect(!journal.entries.contains("shutdownEnded"))
  }

  @Test func aShutdownIsToldStepByStep() async throws {
    let pond = Pond("server")
    let database = pond.pebble("database", teardown: { throw Breakdown("locked") }) {}
    pond.service("http", when: database.succeeded) { ready in
      ready()
      await ready.stopRequested()
    }
    let run = try pond.start(eventHistory: 100)
    _ = try await run.report
    try await run.shutdown()

    let told = await run.events.reduce(into: [String]()) {
      $0.append("\($1.kind) \($1.pebble ?? "")")
    }
    #expect(
      told.suffix(6) == [
        "shutdownBegan ", "stopRequested http", "serviceEnded http", "teardownStarted database",
        "teardownEnded database", "shutdownEnded ",
      ])
  }
}
