import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Tests of real signals to this process. They are serialized, because there is only one process.
@Suite(.serialized, .watched) struct SignalRunTests {
  private static let signal = Signal(rawValue: SIGALRM)

  private let pond = Pond("service")
  private let journal = Logbook<String>()

  @Test func aSignalAfterTheBootShutsTheRunDown() async throws {
    let booting = Promise<Run>()
    let server = pond.service("server") { [journal] ready in
      ready()
      try? await untilCancelled()
      journal.note("server ended")
    }
    pond.pebble(
      "http", when: server.succeeded, teardown: { [journal] in journal.note("undo http") }
    ) { booting.fulfill(try Self.currentRun) }

    let caller = Task { [pond] in try await pond.run(untilSignal: [.hangup, Self.signal]) }
    let run = await booting.value()
    _ = try await run.report
    #expect(run.status.phase == .over)
    send()
    let report = try await caller.value

    #expect(report.isAllSucceeded)
    #expect(report.cancellation == nil)
    #expect(journal.entries == ["undo http", "server ended"])
    #expect(report.shutdown?.records.map(\.pebble) == ["http", "server"])
    #expect(!isWatched)
  }

  @Test func theReportSaysThatASignalCameAndHowLongTheServiceWasUp() async throws {
    let clock = ManualClock()
    pond.service("server") { ready in
      clock.advance(by: .milliseconds(5))
      ready()
      await ready.stopRequested()
      clock.advance(by: .seconds(1))
    }

    let run = try pond.start(untilSignal: [Self.signal], clock: clock)
    _ = try await run.report
    clock.advance(by: .seconds(120))
    send()
    let report = try await run.reportAfterShutdown()

    #expect(report.shutdown?.reason == .signal(Self.signal))
    #expect(report.shutdown?.started == .milliseconds(120_005))
    #expect(
      report.description == """
        service: 1 succeeded in 5.00 ms, shut down after 120 s: the process got SIGALRM

        succeeded    started finished     took
          server        0 ns  5.00 ms  5.00 ms   up for 121 s
        """)
  }

  @Test func theReportDoesNotSayThatTheProgramShutTheRunDown() async throws {
    let clock = ManualClock()
    pond.service("server") { ready in
      ready()
      await ready.stopRequested()
    }

    let run = try pond.start(clock: clock)
    _ = try await run.report
    clock.advance(by: .seconds(2))
    let shutdown = try await run.shutdown()
    let report = try await run.reportAfterShutdown()

    #expect(shutdown.reason == .shutdown)
    #expect(shutdown.started == .seconds(2))
    #expect(
      report.description == """
        service: 1 succeeded in 0 ns

        succeeded    started finished     took
          server        0 ns     0 ns     0 ns   up for 2.00 s
        """)
  }

  @Test func aSignalDuringTheBootCancelsItAndTearsDown() async throws {
    let database = undoable("database")
    let slow = pond.pebble("slow", when: database.succeeded) {
      self.send()
      try await untilCancelled()
    }

    let report = try await pond.run(untilSignal: [Self.signal])

    #expect(report.cancellation == .signal(Self.signal))
    #expect(report.cancellation?.description == "the process got SIGALRM")
    #expect(report.outcome(of: slow).error is CancellationError)
    #expect(journal.entries == ["undo database"])
    #expect(report.shutdown?.records.count == 1)
  }

  @Test func aSignalBeforeTheFirstBodyIsNotLost() async throws {
    for _ in 0..<20 {
      let pond = Pond("early")
      pond.pebble(
        "first",
        .enabled {
          self.send()
          return true
        }
      ) { try await untilCancelled() }

      let report = try await pond.run(untilSignal: [Self.signal])

      #expect(report.cancellation == .signal(Self.signal))
      #expect(report.shutdown != nil)
    }
  }

  @Test(arguments: [false, true])
  func aBootThatFailsWithNothingUpDoesNotWait(isGoalMissed: Bool) async throws {
    let database = pond.pebble("database") { if !isGoalMissed { throw Breakdown() } }
    let server = pond.service("server", when: database.failed && !database.failed) { ready in
      ready()
    }
    if isGoalMissed { pond.goal = server.succeeded }

    let report = try await pond.run(untilSignal: [Self.signal])

    #expect(report.exitCode == 1)
    #expect(report.cancellation == nil)
    #expect(report.shutdown?.records.isEmpty == true)
    #expect(!isWatched)
  }

  /// Checks that a run with a failed pebble still waits for a signal while something else is up.
  @Test(arguments: [false, true])
  func oneThatFailsWithSomethingUpWaits(isHandled: Bool) async throws {
    let booting = Promise<Run>()
    let cache = undoable("cache")
    let database = pond.pebble("database", when: cache.succeeded) {
      booting.fulfill(try Self.currentRun)
      throw Breakdown()
    }
    if isHandled { pond.pebble("offline", when: database.failed) {} }
    let caller = Task { [pond] in try await pond.run(untilSignal: [Self.signal]) }
    let run = await booting.value()
    _ = try await run.report

    #expect(run.status.phase != .over || isHandled)
    #expect(journal.entries.isEmpty)
    send()

    #expect(try await caller.value.exitCode == (isHandled ? 0 : 1))
    #expect(journal.entries == ["undo cache"])
  }

  /// Checks that a run waits for a signal even if all of its services have ended, as they may.
  @Test func oneWhoseServicesHaveAllEndedAsTheyMayWaits() async throws {
    let booting = Promise<Run>()
    pond.service("import", .ending(.mayEnd)) { ready in
      booting.fulfill(try Self.currentRun)
      ready()
    }
    let caller = Task { [pond] in try await pond.run(untilSignal: [Self.signal]) }
    let run = await booting.value()
    _ = try await run.report
    try await until { run.status.running.isEmpty }
    send()

    #expect(try await caller.value.shutdown?.reason == .signal(Self.signal))
  }

  @Test func oneSignalShutsDownAllThatWaitForIt() async throws {
    let ponds = (0..<3).map { Pond("\($0)") }
    let meeting = Meeting(of: 3)
    for pond in ponds {
      pond.pebble("slow") {
        await meeting.attend()
        try await untilCancelled()
      }
    }

    let callers = ponds.map { pond in Task { try await pond.run(untilSignal: [Self.signal]) } }
    await meeting.attendAsGuest()
    send()

    for caller in callers {
      #expect(try await caller.value.cancellation == .signal(Self.signal))
    }
  }

  @Test func cancellingTheCallerShutsDownToo() async throws {
    let booting = Promise<Run>()
    pond.pebble("database", teardown: { [journal] in journal.note("undo database") }) {
      booting.fulfill(try Self.currentRun)
    }
    let caller = Task { [pond] in try await pond.run(untilSignal: [Self.signal]) }
    _ = try await booting.value().report

    caller.cancel()
    let report = try await caller.value

    #expect(journal.entries == ["undo database"])
    #expect(report.shutdown != nil)
    #expect(!isWatched)
  }

  @Test func aCallerThatIsCancelledAlreadyStartsNothing() async throws {
    pond.pebble("database") { Issue.record("started after a cancellation") }

    let caller = Task { [pond] in
      try await until { Task.isCancelled }
      return try await pond.run(untilSignal: [Self.signal])
    }
    caller.cancel()
    let report = try await caller.value

    #expect(report.cancellation == .requested)
    #expect(report.shutdown?.records.isEmpty == true)
  }

  @Test func aBodyThatIgnoresEverythingIsLeftBehindAlsoWithNothingToTearDown() async throws {
    let (clock, started, gate) = (AlarmClock(), Gate(), Gate())
    let stuck = pond.pebble("stuck") {
      started.open()
      await gate.passed()
    }
    let caller = Task { [pond] in
      try await pond.run(
        untilSignal: [Self.signal], clock: clock, shutdownWithin: .seconds(5))
    }
    await started.passed()
    send()
    await clock.asleep(1)
    clock.advance(by: .seconds(5))
    let report = try await caller.value

    #expect(report.outcome(of: stuck).error is PebbleTimeout)
    #expect(report.record(of: stuck)?.isStillRunning == true)
    #expect(report.exitCode == 1)
    gate.open()
  }

  @Test func theEndOfAServiceIsAsGoodAsASignal() async throws {
    let booting = Promise<Run>()
    let crash = Gate()
    let server = pond.service("server") { ready in
      booting.fulfill(try Self.currentRun)
      ready()
      await crash.passed()
      throw Breakdown()
    }
    _ = undoable("http", when: server.succeeded)
    let caller = Task { [pond] in try await pond.run(untilSignal: [Self.signal]) }
    _ = try await booting.value().report

    crash.open()
    let report = try await caller.value

    #expect(journal.entries == ["undo http"])
    #expect(report.record(of: server)?.serviceEnd?.error is Breakdown)
  }

  @Test func aBootThatIsCancelledForAnotherReasonDoesNotWaitForASignal() async throws {
    let (clock, gate) = (AlarmClock(), Gate())
    let pond = Pond("policy", onFailure: .cancelAll)
    let database = pond.pebble("database", teardown: { await gate.passed() }) {}
    pond.pebble("bad", when: database.succeeded) { throw Breakdown() }

    let caller = Task {
      try await pond.run(
        untilSignal: [Self.signal], clock: clock, shutdownWithin: .seconds(5))
    }
    await clock.asleep(1)
    clock.advance(by: .seconds(5))
    let report = try await caller.value

    #expect(report.cancellation == .failure(of: "bad"))
    #expect(report.shutdown?.failures.first?.error is PebbleTimeout)
    gate.open()
  }

  @Test func aShutdownAfterASignalHasItsDeadlineToo() async throws {
    let (clock, gate) = (AlarmClock(), Gate())
    let booting = Promise<Run>()
    pond.pebble("database", teardown: { await gate.passed() }) {
      booting.fulfill(try Self.currentRun)
    }

    let caller = Task { [pond] in
      try await pond.run(
        untilSignal: [Self.signal], clock: clock, shutdownWithin: .seconds(5))
    }
    // During the boot, that would have a timer of its own.
    _ = try await booting.value().report
    send()
    await clock.asleep(1)
    clock.advance(by: .seconds(5))

    #expect(try await caller.value.shutdown?.failures.map(\.pebble) == ["database"])
    gate.open()
  }

  /// Checks that the time limit for the shutdown of a run also applies to a run that resumes it.
  @Test func theShutdownOfARunThatResumesThisOneHasTheLimitToo() async throws {
    let (clock, flaky, mayClose) = (AlarmClock(), Attempts(failing: 1), Gate())
    pond.pebble("database", teardown: { await mayClose.passed() }) { _ = try flaky.next() }
    let first = try pond.start(
      untilSignal: [Self.signal], clock: clock, shutdownWithin: .seconds(5))
    _ = try await first.report
    let second = try await first.resumed(clock: clock)
    _ = try await second.report
    send()
    try await until { second.core.life.read { $0.hasTeardownBegun } }
    let limit = second.core.life.read { $0.run.shutdownDeadline?.limit }
    mayClose.open()
    _ = try await first.reportAfterShutdown()

    #expect(limit == .seconds(5))
  }

  @Test func theSecondSignalEndsTheProcess() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      let pond = Pond("stubborn")
      let never = Gate()
      pond.pebble(
        "database",
        teardown: {
          kill(getpid(), SIGTERM)
          await never.passed()
        }
      ) {
        kill(getpid(), SIGINT)
        try? await untilCancelled()
      }
      _ = try await pond.run(untilSignal: [.terminate, .interrupt])
    }
  }

  @Test func everythingWrongIsReportedTogether() async throws {
    pond.pebble("") { Issue.record("a faulty pond must not start anything") }

    let error = await #expect(throws: PondError.self) {
      try await pond.run(
        untilSignal: [Self.signal, Signal(rawValue: SIGKILL), Signal(rawValue: -1)],
        within: .seconds(-1), shutdownWithin: .zero)
    }

    #expect(
      error?.faults.map(\.description) == [
        "the pebble at position 0 has an empty name; give it one",
        "the run has a time limit of -1.0 seconds; it must be longer than zero",
        "the run cannot wait for signals: SIGKILL cannot be caught; wait for another signal",
        "the run cannot wait for signals: -1 is not the number of a signal; "
          + "wait for one that exists",
        "the run has a shutdown limit of 0.0 seconds; it must be longer than zero",
      ])
    #expect(!isWatched)
  }

  @Test func waitingForNoSignalIsAFault() async throws {
    let error = await #expect(throws: PondError.self) { try await pond.run(untilSignal: []) }

    #expect(
      error?.faults == [
        .invalidSignals(
          problem: "cannot wait for signals: there is no signal to wait for; name one")
      ])
  }

  private var isWatched: Bool {
    SignalDisposition.current(of: Self.signal)?.hasHandler(of: .byDefault) == false
  }

  /// The run of the calling body, which has no other access to it.
  private static var currentRun: Run {
    get throws { try #require(PebbleContext.current?.run) }
  }

  private func undoable(_ name: String, when condition: Condition = .always) -> Pebble<Void> {
    pond.pebble(name, when: condition, teardown: { [journal] in journal.note("undo \(name)") }) {}
  }

  private func send() {
    kill(getpid(), Self.signal.rawValue)
  }
}
