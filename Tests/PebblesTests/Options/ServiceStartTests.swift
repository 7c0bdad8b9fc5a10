import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of the start of services, and of services that fail to start.
@Suite(.watched) struct ServiceStartTests {
  private let pond = Pond("services")
  private let clock = AlarmClock()
  private let journal = Logbook<String>()

  @Test func aServiceThatIsNotReadyInTimeHasFailedAndIsNamedWhileItGoesOn() async throws {
    let (gate, over) = (Gate(), Gate())
    let server = pond.service(
      "server", .timeout(.seconds(5)), teardown: { [journal] in journal.note("undone") }
    ) { ready in
      await gate.passed()
      // Too late.
      ready()
      over.open()
    }
    let run = try pond.start(clock: clock)
    await clock.asleep(1)

    clock.advance(by: .seconds(5))
    let report = try await run.report
    let record = try #require(report.record(of: server))

    let timeout = try #require(record.outcome.error as? PebbleTimeout)
    #expect(timeout.pebble == "server")
    #expect(timeout.limit == .seconds(5))
    #expect("\(timeout)" == "it was not ready within 5.0 seconds")
    #expect(record.isStillRunning)
    #expect(run.status.running.isEmpty)

    gate.open()
    await over.passed()
    try await until { !record.isStillRunning }

    // What it opened all the same is closed.
    try await until { journal.count > 0 }
    #expect(journal.entries == ["undone"])
    #expect(record.outcome.isFailed)
    #expect(record.serviceEnd == nil)
    #expect(try await run.shutdown().records.isEmpty)
  }

  @Test func aTimeoutIsOverOnceTheServiceIsReady() async throws {
    let server = pond.service("server", .timeout(.seconds(5))) { ready in
      ready()
      try await untilCancelled()
    }
    let run = try pond.start(clock: clock)
    let report = try await run.report

    clock.advance(by: .seconds(50))

    #expect(run.status.running.map(\.name) == ["server"])
    #expect(report.record(of: server)?.serviceEnd == nil)
    try await run.shutdown().check()
  }

  @Test func aTimeoutCancelsTheServiceThatStarts() async throws {
    let server = pond.service("server", .timeout(.seconds(5))) { _ in try await untilCancelled() }
    let run = try pond.start(clock: clock)
    await clock.asleep(1)

    clock.advance(by: .seconds(5))
    let report = try await run.report

    #expect(report.outcome(of: server).error is PebbleTimeout)
    let record = try #require(report.record(of: server))
    try await until { !record.isStillRunning }
  }

  @Test func aServiceThatFailsToStartIsTriedAgain() async throws {
    let attempts = Attempts(failing: 2)
    let undone = Logbook<Int>()
    let server = pond.service(
      "server", .retry(.attempts(4)), teardown: { undone.note(attempts.count) }
    ) { ready in
      _ = try attempts.next()
      ready()
      try await untilCancelled()
    }

    let run = try pond.start()
    let report = try await run.report
    try await run.shutdown().check()

    #expect(report.outcome(of: server).isSucceeded)
    #expect(report.record(of: server)?.attempts.count == 3)
    #expect(report.record(of: server)?.attempts.last?.error == nil)
    #expect(undone.entries == [3])
  }

  @Test func aServiceThatWasReadyIsNotTriedAgain() async throws {
    let attempts = Attempts(failing: 0)
    let server = pond.service("server", .retry(.attempts(4)), .ending(.ignore)) { ready in
      _ = try attempts.next()
      ready()
      throw Breakdown()
    }

    let run = try pond.start()
    let events = run.events
    let report = try await run.report
    for await _ in events {}

    #expect(attempts.count == 1)
    #expect(report.outcome(of: server).isSucceeded)
    #expect(report.record(of: server)?.serviceEnd?.error is Breakdown)
  }

  @Test func anAttemptThatTimesOutIsFollowedByAnother() async throws {
    let calls = Attempts(failing: 0)
    let gate = Gate()
    let server = pond.service("server", .timeout(.seconds(1)), .retry(.attempts(2))) { ready in
      if try calls.next() == 1 { return await gate.passed() }
      ready()
      try await untilCancelled()
    }
    let run = try pond.start(clock: clock)
    await clock.asleep(1)

    clock.advance(by: .seconds(1))
    // The next one begins once this one has ended.
    await clock.asleep(1)
    #expect(calls.count == 1)
    gate.open()
    let report = try await run.report
    let record = try #require(report.record(of: server))

    #expect(record.outcome.isSucceeded)
    #expect(!record.isStillRunning)
    #expect(run.status.running.map(\.name) == ["server"])
    #expect(record.serviceEnd == nil)
    #expect(run.status.running.map(\.name) == ["server"])
    try await run.shutdown().check()
    #expect(record.serviceEnd != nil)
  }

  @Test func cancellationReachesAServiceThatStarts() async throws {
    let started = Gate()
    let server = pond.service(
      "server", teardown: { Issue.record("was never up") }
    ) { _ in
      started.open()
      try await untilCancelled()
    }
    let run = try pond.start()
    await started.passed()

    run.cancel()
    let report = try await run.report

    #expect(report.outcome(of: server).error is CancellationError)
    #expect(report.shutdown?.records.isEmpty == true)
  }

  @Test func aServiceThatBecomesReadyInSpiteOfCancellationIsStopped() async throws {
    let (started, gate, undone) = (Gate(), Gate(), Gate())
    let server = pond.service("server", teardown: { undone.open() }) { ready in
      started.open()
      await gate.passed()
      ready()
      #expect(Task.isCancelled)
    }
    let run = try pond.start()
    await started.passed()

    run.cancel()
    gate.open()
    let report = try await run.report

    #expect(report.outcome(of: server).isSucceeded)
    #expect(undone.isOpen)
  }

  @Test func cancellationDoesNotReachAServiceThatIsUpBeforeWhatNeedsItIsGone() async throws {
    let journal = Logbook<String>()
    let started = Gate()
    let server = pond.service("server") { ready in
      ready()
      try? await untilCancelled()
      journal.note("server ended")
    }
    let session = pond.pebble(
      "session", when: server.succeeded,
      teardown: {
        for _ in 0..<100 { await Task.yield() }
        journal.note("undo session")
      }
    ) {}
    pond.pebble("slow", when: session.succeeded) {
      started.open()
      try? await untilCancelled()
      journal.note("slow ended")
    }
    let run = try pond.start()
    await started.passed()

    run.cancel()
    _ = try await run.report

    #expect(journal.entries == ["slow ended", "undo session", "server ended"])
  }

  @Test func limitsHoldUntilAServiceIsReady() async throws {
    let occupancy = Occupancy()
    for number in 0..<5 {
      pond.service("\(number)", .exclusive("port"), .uses("slots", of: 1)) { ready in
        #expect(occupancy.enter() == 1)
        await Task.yield()
        occupancy.leave()
        ready()
        try await untilCancelled()
      }
    }

    let run = try pond.start()
    let report = try await run.report

    #expect(report.isAllSucceeded)
    #expect(run.status.running.count == 5)
    try await run.shutdown().check()
  }

  @Test func aServiceKnowsWhereItIs() async throws {
    let seen = Logbook<PebbleContext?>()
    pond.service("server", .retry(.attempts(2))) { ready in
      seen.note(PebbleContext.current)
      if seen.count == 1 { throw Breakdown() }
      ready()
      try? await untilCancelled()
      seen.note(PebbleContext.current)
    }

    let run = try pond.start()
    _ = try await run.report
    try await run.shutdown()

    #expect(seen.entries.map { $0?.pebble } == ["server", "server", "server"])
    #expect(seen.entries.map { $0?.attempt } == [1, 2, 2])
    #expect(
      seen.entries.allSatisfy { $0?.runIdentifier == run.identifier && $0?.pond == "services" })
  }

  @Test func eventsEndWithARunWhoseServicesDidNotComeUp() async throws {
    pond.service("server", .retry(.attempts(2))) { _ in throw Breakdown() }
    pond.service("late", .timeout(.seconds(1))) { _ in try await untilCancelled() }
    let run = try pond.start(clock: clock, eventHistory: 100)
    let events = run.events
    await clock.asleep(1)

    clock.advance(by: .seconds(1))
    let told = await events.all()

    #expect(told.last == "end")
  }

  @Test func eventsGoOnAfterTheRunForAsLongAsServicesRun() async throws {
    pond.service("server") { ready in
      ready()
      try await untilCancelled()
    }
    let run = try pond.start()
    let events = run.events
    _ = try await run.report

    try await run.shutdown()
    let told = await events.all()

    #expect(told.contains("end"))
    #expect(told.contains { $0.contains("server ended after it was up") })
  }
}
