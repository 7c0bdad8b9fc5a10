import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests that every output is torn down, regardless of how late it was returned.
@Suite(.watched) struct LateOutputTests {
  private let clock = AlarmClock()
  private let closed = Logbook<Int>()

  @Test func anOutputThatComesAfterTheTimeoutIsTornDown() async throws {
    let pond = Pond("late")
    let (started, gate) = (Gate(), Gate())
    let connect = pond.pebble(
      "connect", .timeout(.seconds(5)), teardown: { [closed] in closed.note($0) }
    ) {
      started.open()
      await gate.passed()
      return 1
    }
    let run = try pond.start(clock: clock)
    await started.passed()
    await clock.asleep(1)
    clock.advance(by: .seconds(5))
    let report = try await run.report
    #expect(report.failed(connect))
    #expect(closed.count == 0)

    gate.open()
    try await until { report.record(of: connect)?.isStillRunning == false }
    #expect(closed.entries == [1])

    try await run.shutdown().check()
    #expect(closed.entries == [1])
  }

  @Test func aShutdownIsNotOverBeforeOneIsTornDown() async throws {
    let pond = Pond("late")
    let (gate, isClosing, mayClose) = (Gate(), Gate(), Gate())
    // Events go on for as long as something is up.
    pond.service("server") { ready in
      ready()
      await ready.stopRequested()
    }
    pond.pebble(
      "connect", .timeout(.seconds(5)),
      teardown: { _ in
        isClosing.open()
        await mayClose.passed()
      }
    ) {
      await gate.passed()
      return 1
    }
    let run = try pond.start(clock: clock, eventHistory: 100)
    await clock.asleep(1)
    clock.advance(by: .seconds(5))
    _ = try await run.report
    gate.open()
    await isClosing.passed()
    let shutdown = Task { try await run.shutdown() }
    try await until { run.core.life.read(\.runningServices).isEmpty }
    for _ in 0..<200 { await Task.yield() }
    mayClose.open()
    try await shutdown.value.check()

    let kinds = await run.events.reduce(into: []) { $0.append($1.kind) }
    #expect(kinds.suffix(2) == [.teardownEnded, .shutdownEnded])
  }

  @Test func aTeardownOnAnExecutorIsCalledEvenAfterTheDeadlineOfTheShutdown() async throws {
    let pond = Pond("late")
    let (started, gate) = (Gate(), Gate())
    let database = pond.pebble(
      "database", .blocking, teardown: { [closed] in closed.note($0) }
    ) { 1 }
    pond.pebble(
      "server", when: database.succeeded,
      teardown: { _ in
        started.open()
        await gate.passed()
      }
    ) { 2 }
    let run = try pond.start(clock: clock)
    _ = try await run.report

    async let shutdown = run.shutdown(within: .seconds(5))
    await started.passed()
    await clock.asleep(1)
    clock.advance(by: .seconds(5))
    #expect(try await shutdown.failures.map(\.pebble) == ["server", "database"])
    try await until { closed.count == 1 }
    gate.open()
  }

  @Test func aLateServiceThatIsReadyAsItsBodyEndsIsTornDownOnce() async throws {
    for round in 1...200 {
      let pond = Pond("late")
      let clock = AlarmClock()
      let (started, gate) = (Gate(), Gate())
      let (closed, calls) = (closed, Logbook<Int>())
      let server: Pebble<Int> = pond.service(
        "server", .timeout(.seconds(5)), teardown: { closed.note($0) }
      ) { ready in
        started.open()
        await gate.passed()
        Task.detached {
          ready(round)
          calls.note(round)
        }
      }
      let run = try pond.start(clock: clock)
      await started.passed()
      await clock.asleep(1)
      clock.advance(by: .seconds(5))
      let report = try await run.report
      #expect(report.failed(server))

      gate.open()
      try await until { calls.count == 1 && report.records[0].isStillRunning == false }
      try await until { closed.count >= round }
      #expect(closed.entries == Array(1...round))
    }
  }

  @Test func everyAttemptThatSucceedsLateIsTornDownBeforeTheNextBegins() async throws {
    let pond = Pond("late")
    let attempts = Attempts(failing: 0)
    let gates = [Gate(), Gate()]
    let journal = Logbook<String>()
    let connect = pond.pebble(
      "connect", .timeout(.seconds(5)), .retry(.attempts(3)),
      teardown: { (attempt: Int) in journal.note("close \(attempt)") }
    ) {
      let attempt = try attempts.next()
      journal.note("open \(attempt)")
      if attempt <= gates.count { await gates[attempt - 1].passed() }
      return attempt
    }
    let run = try pond.start(clock: clock)
    for (number, gate) in gates.enumerated() {
      try await until { clock.sleeps.count == 2 * number + 1 }
      clock.advance(by: .seconds(5))
      // Now the run waits for the body that it has abandoned.
      try await until { clock.sleeps.count == 2 * number + 2 }
      gate.open()
    }
    let report = try await run.report
    #expect(report[connect] == 3)
    try await run.shutdown().check()

    #expect(
      journal.entries == ["open 1", "close 1", "open 2", "close 2", "open 3", "close 3"])
  }

  @Test func whatAPebbleHoldsIsGivenBackOnceItsLateOutputIsTornDown() async throws {
    let pond = Pond("late")
    let (body, closing) = (Gate(), Gate())
    let journal = Logbook<String>()
    let slow = pond.pebble(
      "slow", .timeout(.seconds(5)), .exclusive("key"),
      teardown: {
        await closing.passed()
        journal.note("closed")
      }
    ) { await body.passed() }
    pond.pebble("next", .exclusive("key"), when: slow.failed) { journal.note("next") }
    let run = try pond.start(clock: clock)
    await clock.asleep(1)
    clock.advance(by: .seconds(5))
    // The run waits for the body that it has abandoned.
    await clock.asleep(1)
    body.open()
    try await until { run.core.life.read { $0.undonePebbles } == [0] }
    let goesOn = run.core.life.read { $0.keepsUses(0) }
    closing.open()
    _ = try await run.report

    #expect(goesOn)
    #expect(journal.entries == ["closed", "next"])
  }

  @Test func aBodyThatDoesNotEndIsNotTriedAgain() async throws {
    let pond = Pond("late")
    let attempts = Attempts(failing: 0)
    let gate = Gate()
    let connect = pond.pebble("connect", .timeout(.seconds(5)), .retry(.attempts(10))) {
      _ = try attempts.next()
      await gate.passed()
    }
    let run = try pond.start(clock: clock)
    for count in 1...2 {
      try await until { clock.sleeps.count == count }
      clock.advance(by: .seconds(5))
    }
    let report = try await run.report

    #expect(attempts.count == 1)
    #expect(report.outcome(of: connect).error is PebbleTimeout)
    #expect(report.record(of: connect)?.finished == .seconds(10))
    gate.open()
  }

  @Test(arguments: [false, true])
  func anOutputThatMeetsItsTimeoutIsUsedOrTornDown(byDeadline: Bool) async throws {
    for _ in 0..<300 {
      let (clock, gate) = (AlarmClock(), Gate())
      let (opened, closed) = (Logbook<Int>(), Logbook<Int>())
      let pond = Pond("race")
      let limit: PebbleTrait = byDeadline ? .traits([]) : .timeout(.seconds(5))
      pond.pebble("connect", limit, teardown: { closed.note($0) }) {
        await gate.passed()
        opened.note(1)
        return 1
      }
      let run = try pond.start(clock: clock, within: byDeadline ? .seconds(5) : nil)
      await clock.asleep(1)
      async let opening: Void = gate.open()
      clock.advance(by: .seconds(5))
      await opening
      let report = try await run.report
      try await run.shutdown()
      // Its body is not called if the time was over before it had its turn.
      try await until { !report.records[0].isStillRunning && closed.entries == opened.entries }
    }
  }

  @Test func anOutputThatCodeAroundItThrowsAwayIsTornDown() async throws {
    let layer: Around = { _, body in
      try await body()
      throw Breakdown()
    }
    let pond = Pond("around", around: layer)
    let connect = pond.pebble("connect", teardown: { [closed] in closed.note($0) }) { 1 }

    let report = try await pond.run()

    #expect(report.failed(connect))
    #expect(closed.entries == [1])
  }

  /// Tests code around a body that calls the body twice and ignores the error of the second call.
  @Test func anOutputIsTornDownIfCodeAroundItCallsTheBodyAgain() async throws {
    let layer: Around = { _, body in
      try await body()
      try? await body()
    }
    let pond = Pond("around", around: layer)
    let connect = pond.pebble("connect", teardown: { [closed] in closed.note($0) }) { 1 }

    let report = try await pond.run()

    #expect(report.outcome(of: connect).error as? AroundError == .bodyCalledAgain)
    #expect(closed.entries == [1])
  }

  @Test func aTeardownOfALateOutputMayFailAndIsTold() async throws {
    let pond = Pond("late")
    let gate = Gate()
    let connect = pond.pebble(
      "connect", .timeout(.seconds(5)), teardown: { (_: Int) in throw Breakdown("no reply") }
    ) {
      await gate.passed()
      return 1
    }
    pond.pebble("offline", when: connect.failed) {}
    let run = try pond.start(clock: clock)
    await clock.asleep(1)
    clock.advance(by: .seconds(5))
    let report = try await run.report
    let record = try #require(report.record(of: connect))
    #expect(report.exitCode == 0)
    gate.open()
    try await until { !record.isStillRunning && !record.lateTeardownErrors.isEmpty }

    #expect(record.lateTeardownErrors.map { "\($0)" } == ["no reply"])
    #expect(report.exitCode == 1)
  }

  @Test func aCallbackThatSucceedsAfterItsTimeoutIsUndone() async throws {
    let pond = Pond("late")
    let kept = Logbook<Completion>()
    let connect = pond.pebble(
      "connect", .timeout(.seconds(5)), teardown: { [closed] in closed.note(1) }
    ) { complete in kept.note(complete) }
    let run = try pond.start(clock: clock)
    await clock.asleep(1)
    try await until { kept.count == 1 }
    clock.advance(by: .seconds(5))
    let report = try await run.report
    #expect(report.failed(connect))

    for _ in 0..<2 { kept.entries[0].succeed() }
    try await until { closed.count == 1 }
    try await run.shutdown().check()
    #expect(closed.entries == [1])
  }

  @Test func aBodyThatEndsAsItIsGivenUpGivesBackWhatItUses() async throws {
    for _ in 0..<500 {
      let (clock, gate) = (AlarmClock(), Gate())
      let pond = Pond("race")
      pond.pebble("first", .timeout(.seconds(5)), .exclusive("key")) { await gate.passed() }
      let next = pond.pebble("next", .exclusive("key")) {}
      let run = try pond.start(clock: clock)
      await clock.asleep(1)
      async let opening: Void = gate.open()
      clock.advance(by: .seconds(5))
      await opening
      #expect(try await run.report.succeeded(next))
    }
  }

  @Test func theOutputOfAServiceIsNotUndoneByCodeAroundIt() async throws {
    let layer: Around = { _, body in
      try await body()
      throw Breakdown()
    }
    let pond = Pond("around", around: layer)
    let server: Pebble<Int> = pond.service(
      "server", .ending(.ignore), teardown: { [closed] in closed.note($0) }
    ) { ready in
      ready(1)
      await ready.stopRequested()
    }
    let run = try pond.start()
    #expect(try await run.report[server] == 1)
    try await run.shutdown()

    #expect(closed.entries == [1])
  }
}
