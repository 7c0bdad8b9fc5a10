import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

@Suite(.watched) struct ServiceTests {
  private let pond = Pond("services")
  private let journal = Logbook<String>()

  @Test func aServiceSucceedsWhenItIsReadyAndGoesOn() async throws {
    let server = pond.service("server") { [journal] ready in
      ready()
      try? await untilCancelled()
      journal.note("server ended")
    }
    let migrate = pond.pebble("migrate", when: server.succeeded) { [journal] in
      journal.note("migrate")
    }

    let run = try pond.start()
    let report = try await run.report

    #expect(report.isAllSucceeded)
    #expect(report.record(of: migrate)?.enabledBy == "server")
    #expect(journal.entries == ["migrate"])
    #expect(run.status.phase == .over)
    #expect(run.status.running.map(\.name) == ["server"])
    #expect(report.record(of: server)?.serviceEnd == nil)

    try await run.shutdown().check()

    #expect(journal.entries == ["migrate", "server ended"])
    #expect(run.status.phase == .shutDown)
    #expect(run.status.running.isEmpty)
    #expect(report.record(of: server)?.serviceEnd?.error == nil)
    #expect(report.record(of: server)?.serviceEnd != nil)
  }

  @Test func aServiceThatReturnsBeforeItIsReadyHasFailed() async throws {
    let server = pond.service("server", teardown: { Issue.record("was never up") }) { _ in }
    let fallback = pond.pebble("fallback", when: server.failed) {}

    let run = try pond.start()
    let report = try await run.report
    let shutdown = try await run.shutdown()

    #expect(report.outcome(of: server).error as? ServiceError == .endedBeforeReady)
    #expect(report.outcome(of: fallback).isSucceeded)
    #expect(report.record(of: server)?.serviceEnd == nil)
    #expect(shutdown.records.isEmpty)
  }

  @Test func aServiceThatThrowsBeforeItIsReadyHasFailedWithThat() async throws {
    let server = pond.service("server") { _ in throw Breakdown("port taken") }

    let report = try await pond.run()

    #expect(report.outcome(of: server).error as? Breakdown == Breakdown("port taken"))
  }

  @Test func readyCallsAfterTheFirstAndAfterAFailureDoNothing() async throws {
    let kept = Mutex<ServiceReady<Void>?>(nil)
    let eager = pond.service("eager") { ready in
      for _ in 0..<3 { ready() }
      try await untilCancelled()
    }
    let failing = pond.service("failing") { ready in
      kept.withLock { $0 = ready }
      throw Breakdown()
    }

    let run = try pond.start()
    let report = try await run.report
    let ready = try #require(kept.withLock { $0 })
    ready()
    try await run.shutdown()
    ready()

    #expect(report.outcome(of: eager).isSucceeded)
    #expect(report.outcome(of: failing).error is Breakdown)
    #expect(report.record(of: failing)?.serviceEnd == nil)
  }

  @Test func readyMayBeCalledFromElsewhere() async throws {
    let called = Gate()
    let server = pond.service("server") { ready in
      Task {
        ready()
        called.open()
      }
      await called.passed()
      try await untilCancelled()
    }

    let run = try pond.start()
    let report = try await run.report
    try await run.shutdown().check()

    #expect(report.outcome(of: server).isSucceeded)
  }

  @Test func aServiceThatEndsShutsTheRunDown() async throws {
    let crash = Gate()
    let server = pond.service("server") { ready in
      ready()
      await crash.passed()
      throw Breakdown("connection lost")
    }
    pond.pebble("cache", teardown: { [journal] in journal.note("undo cache") }) {}
    let run = try pond.start()
    let report = try await run.report
    let events = run.events

    crash.open()
    let told = await events.all()
    let shutdown = try await run.shutdown()

    #expect(
      told.first
        == "\(try end(of: server, in: report)): server ended after it was up: connection lost")
    #expect(journal.entries == ["undo cache"])
    #expect(shutdown.records.map(\.pebble).sorted() == ["cache", "server"])
    #expect(shutdown.failures.isEmpty)
    #expect(report.record(of: server)?.serviceEnd?.error as? Breakdown != nil)
    #expect(report.cancellation == nil)
    #expect(run.status.phase == .failed)
    #expect(report.unhandledFailures.map(\.name) == ["server"])
    #expect(report.exitCode == 1)
  }

  @Test func aServiceThatEndsDuringTheBootCancelsIt() async throws {
    let server = pond.service("server") { ready in ready() }
    let slow = pond.pebble("slow", when: server.succeeded) { try await untilCancelled() }
    pond.pebble("never", when: slow.succeeded) { Issue.record("started after a cancellation") }
    pond.pebble("cache", teardown: { [journal] in journal.note("undo cache") }) {}

    let report = try await pond.run()

    #expect(report.cancellation == .serviceEnded("server"))
    #expect(report.outcome(of: server).isSucceeded)
    #expect(report.shutdown != nil)
    // It may have ended before the cache had its turn.
    #expect(journal.count == (report.word("cache") == "succeeded" ? 1 : 0))
  }

  @Test func aServiceWhoseEndIsToBeIgnoredLeavesTheRunAlone() async throws {
    let server = pond.service(
      "server", .ending(.ignore), teardown: { [journal] in journal.note("undo server") }
    ) { $0() }
    let ended = pond.pebble("ended", when: server.succeeded) {}

    let run = try pond.start()
    let events = run.events
    let report = try await run.report
    for await _ in events {}

    #expect(report.outcome(of: ended).isSucceeded)
    #expect(report.record(of: server)?.serviceEnd != nil)
    #expect(!report.isCancelled)
    #expect(run.status.phase == .failed)
    #expect(report.exitCode == 1)
    #expect(journal.count == 0)

    try await run.shutdown().check()

    #expect(journal.entries == ["undo server"])
  }

  @Test func theEndOfAServiceIsToldAfterItsPebbleHasSettled() async throws {
    for _ in 0..<100 {
      let pond = Pond("services")
      pond.service("server", .ending(.ignore)) { $0() }
      let run = try pond.start(eventHistory: 10)
      _ = try await run.report

      var told: [String] = []
      for await event in run.events {
        switch event.kind {
        case .settled: told.append("settled")
        case .serviceEnded: told.append("ended")
        default: break
        }
      }

      #expect(told == ["settled", "ended"])
    }
  }

  @Test func theEndOfTheRunIsToldThoughItsLastServiceEndsMeanwhile() async throws {
    // Without order between the two, some in ten thousand runs ended untold.
    for number in 0..<5000 {
      let pond = Pond("services")
      pond.service("server", .ending(.ignore)) { ready in
        ready()
        for _ in 0..<number % 40 { RunClock.pause() }
      }
      let run = try pond.start(eventHistory: 10)
      _ = try await run.report

      #expect(await run.events.all().contains("end"))
    }
  }

  @Test func servicesStopInTheReverseOrderOfWhatTheyEnabled() async throws {
    func service(_ name: String, when condition: Condition) -> Pebble<Void> {
      pond.service(
        name, when: condition, teardown: { [journal] in journal.note("undo \(name)") }
      ) { [journal] ready in
        ready()
        try? await untilCancelled()
        journal.note("\(name) ended")
      }
    }
    let database = service("database", when: .always)
    let pool = service("pool", when: database.succeeded)
    _ = service("http", when: pool.succeeded)

    let run = try pond.start()
    _ = try await run.report
    try await run.shutdown().check()

    #expect(
      journal.entries == [
        "http ended", "undo http", "pool ended", "undo pool", "database ended", "undo database",
      ])
  }

  @Test func aDisabledServiceIsSkipped() async throws {
    let server = pond.service("server", .enabled { false }) { _ in Issue.record("was started") }
    let instead = pond.pebble("instead", when: server.skipped) {}

    let report = try await pond.run()

    #expect(report.outcome(of: server).skipReason == .disabled)
    #expect(report.outcome(of: instead).isSucceeded)
  }

  private func end(of service: Pebble<Void>, in report: Report) throws -> String {
    try #require(report.record(of: service)?.serviceEnd).time.brief
  }
}
