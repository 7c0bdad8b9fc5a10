import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct StatusTests {
  private let pond = Pond("status")
  private let clock = ManualClock()

  @Test func statusesOfOneMomentAreEqual() async throws {
    pond.pebble("only") {}
    let run = try pond.start(clock: clock)
    _ = try await run.report
    let status = run.status
    #expect(run.status == status)

    clock.advance(by: .seconds(1))

    #expect(run.status != status)
  }

  @Test func whileItBootsItSaysWhatRunsSinceWhen() async throws {
    let (started, gate) = (Meeting(of: 2), Gate())
    let first = pond.pebble("first") { [clock] in clock.advance(by: .seconds(2)) }
    pond.pebble("skipped", when: .never) {}
    let pending = [("plain", PebbleTrait.traits()), ("optioned", .retry(.attempts(2)))].map {
      name, retry in
      pond.pebble(name, retry, when: first.succeeded) {
        await started.attend()
        await gate.passed()
      }
    }
    pond.pebble("waiting", when: .any(pending.map(\.failed))) {}

    let run = try pond.start(clock: clock)
    await started.attendAsGuest()
    clock.advance(by: .seconds(5))
    let status = run.status
    gate.open()
    _ = try await run.report

    #expect(status.phase == .booting)
    #expect(
      status.running == [
        .init(name: "plain", since: .seconds(2)), .init(name: "optioned", since: .seconds(2)),
      ])
    #expect(
      status.pebbles.map(\.times.started) == [.zero, nil, .seconds(2), .seconds(2), nil])
    #expect(status.pebbles[0].times.finished == .seconds(2))
    #expect(status.pebbles[2].times.ready == .seconds(2))
    #expect(status.settled == 2)
    #expect(status.total == 5)
    #expect(status.elapsed == .seconds(7))
  }

  @Test func aPebbleRunsSinceItsFirstAttempt() async throws {
    let (second, gate) = (Gate(), Gate())
    pond.pebble("flaky", .retry(.attempts(2))) { [clock] in
      guard PebbleContext.current?.attempt == 2 else {
        clock.advance(by: .seconds(1))
        throw Breakdown()
      }
      second.open()
      await gate.passed()
    }

    let run = try pond.start(clock: clock)
    await second.passed()
    let running = run.status.running
    gate.open()
    _ = try await run.report

    #expect(running == [.init(name: "flaky", since: .zero)])
  }

  @Test func aRunThatEndedWellIsOver() async throws {
    let broken = pond.pebble("broken") { throw Breakdown() }
    pond.pebble("handler", when: broken.failed) {}
    pond.pebble("skipped", when: broken.succeeded) {}

    let run = try pond.start()
    _ = try await run.report
    let status = run.status

    #expect(status.phase == .over)
    #expect(status.running.isEmpty)
    #expect(status.settled == 3)
    #expect(status.total == 3)
  }

  @Test func aRunWithAFailureNobodyHandledHasFailed() async throws {
    pond.pebble("broken") { throw Breakdown() }

    let run = try pond.start()
    _ = try await run.report

    #expect(run.status.phase == .failed)
  }

  @Test func aRunThatACallerCancelledHasBeenShutDown() async throws {
    let started = Gate()
    pond.pebble("endless") {
      started.open()
      try? await untilCancelled()
    }

    let run = try pond.start()
    await started.passed()
    run.cancel()
    _ = try await run.reportAfterShutdown()

    #expect(run.status.phase == .shutDown)
  }

  @Test func anEmptyRunIsOver() async throws {
    let run = try pond.start()
    _ = try await run.report

    #expect(run.status.phase == .over)
    #expect(run.status.total == 0)
  }

  @Test func servicesRunOnUntilTheShutdown() async throws {
    let (stopping, gate) = (Gate(), Gate())
    pond.service("http") { ready in
      ready()
      try? await untilCancelled()
      stopping.open()
      await gate.passed()
    }
    pond.pebble("migration") {}

    let run = try pond.start(clock: clock)
    _ = try await run.report
    let ready = run.status
    async let shutdown = run.shutdown()
    await stopping.passed()
    let stopped = run.status
    gate.open()
    _ = try await shutdown
    let end = run.status

    #expect(ready.phase == .over)
    #expect(ready.running == [.init(name: "http", since: .zero)])
    #expect(stopped.phase == .shuttingDown)
    #expect(end.phase == .shutDown)
    #expect(end.running.isEmpty)
    #expect([ready, stopped, end].allSatisfy { $0.settled == 2 })
  }

  @Test func aServiceIsBootingUntilItIsReady() async throws {
    let (started, gate) = (Gate(), Gate())
    pond.service("http", .ending(.ignore)) { ready in
      started.open()
      await gate.passed()
      ready()
      await ready.stopRequested()
    }

    let run = try pond.start(clock: clock)
    await started.passed()
    let booting = run.status
    gate.open()
    _ = try await run.report

    #expect(booting.phase == .booting)
    #expect(booting.running.map(\.name) == ["http"])
    #expect(booting.settled == 0)
    #expect(run.status.phase == .over)
    try await run.shutdown()
  }

  @Test func statusMayBeReadAtAnyTime() async throws {
    for number in 0..<20 {
      pond.pebble("\(number)", .exclusive("\(number % 3)")) {
        await Task.yield()
        if number % 4 == 0 { throw Breakdown() }
      }
    }
    for _ in 0..<200 {
      let run = try pond.start()
      var settled = 0
      var isOver = false
      while !isOver {
        let status = run.status
        isOver = status.phase != .booting
        #expect((settled...20).contains(status.settled))
        #expect(!isOver || (status.settled == 20 && status.running.isEmpty))
        settled = status.settled
        await Task.yield()
      }
      _ = try await run.report
      #expect(run.status.phase == .failed)
    }
  }
}
