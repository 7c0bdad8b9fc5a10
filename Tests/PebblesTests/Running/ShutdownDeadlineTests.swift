import PebblesTestSupport
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@testable import Pebbles

/// Tests that shutdowns meet their deadlines, regardless of the behavior of bodies.
@Suite(.watched) struct ShutdownDeadlineTests {
  private let clock = AlarmClock()
  private let journal = Logbook<String>()

  @Test func theReportDoesNotWaitForATeardownBeyondTheDeadlineOfTheRun() async throws {
    let pond = Pond("boot")
    let (tearingDown, gate) = (Gate(), Gate())
    let cache = pond.pebble(
      "cache",
      teardown: {
        tearingDown.open()
        await gate.passed()
      }
    ) {}
    let started = Gate()
    pond.pebble("slow", when: cache.succeeded) {
      started.open()
      try await untilCancelled()
    }
    let run = try pond.start(clock: clock, within: .seconds(10))
    await started.passed()
    run.cancel()
    await tearingDown.passed()
    clock.advance(by: .seconds(10))

    let report = try await run.report
    #expect(report.cancellation == .requested)
    #expect(report.shutdown == nil)
    gate.open()
    try await run.shutdown().check()
    #expect(report.shutdown != nil)
  }

  @Test func aBodyThatIgnoresAShutdownIsGivenUpAtItsDeadline() async throws {
    let pond = Pond("server")
    let (started, gate) = (Gate(), Gate())
    pond.pebble("connection", teardown: { [journal] in journal.note("closed") }) {}
    let stuck = pond.pebble("stuck") {
      started.open()
      await gate.passed()
    }
    let run = try pond.start(clock: clock)
    await started.passed()

    let shutdown = Task { try await run.shutdown(within: .seconds(2)) }
    // Half of it, so that the connection is closed in time.
    try await until { clock.sleeps.entries.contains(.seconds(1)) }
    clock.advance(by: .seconds(1))
    let torn = try await shutdown.value
    let report = try await run.report

    let timeout = try #require(report.outcome(of: stuck).error as? PebbleTimeout)
    #expect(timeout.isLimitOfShutdown)
    #expect(report.record(of: stuck)?.isStillRunning == true)
    #expect(report.record(of: stuck)?.wasCancelled == false)
    #expect(report.unhandledFailures.map(\.name) == ["stuck"])
    #expect(journal.entries == ["closed"])
    #expect(torn.failures.map(\.pebble) == ["stuck"])
    #expect(report.exitCode == 1)
    gate.open()
    try await until { report.record(of: stuck)?.isStillRunning == false }
  }

  @Test func aBodyThatWasGivenUpIsToldBeforeTheShutdownIsOver() async throws {
    let pond = Pond("server")
    let (started, gate, isClosing, mayClose) = (Gate(), Gate(), Gate(), Gate())
    let database = pond.pebble(
      "database",
      teardown: {
        isClosing.open()
        await mayClose.passed()
      }
    ) {}
    pond.pebble("stuck", when: database.succeeded) {
      started.open()
      await gate.passed()
    }
    let run = try pond.start(clock: clock)
    await started.passed()
    let shutdown = Task { try await run.shutdown(within: .seconds(2)) }
    try await until { clock.sleeps.entries.contains(.seconds(1)) }
    clock.advance(by: .seconds(1))
    await isClosing.passed()

    #expect(run.core.shutdownSoFar.failures.map(\.pebble) == ["stuck"])
    mayClose.open()
    _ = try await shutdown.value
    gate.open()
  }

  @Test func aServiceHasHalfOfWhatIsLeftHoweverLongItMayTakeToStop() async throws {
    let pond = Pond("server")
    pond.service("http", .stopWithin(.seconds(100))) { [journal] ready in
      ready()
      try? await untilCancelled()
      journal.note("cancelled")
    }
    let run = try pond.start(clock: clock)
    _ = try await run.report

    let shutdown = Task { try await run.shutdown(within: .seconds(8)) }
    try await until { clock.sleeps.entries.contains(.seconds(4)) }
    clock.advance(by: .seconds(4))
    try await until { journal.entries == ["cancelled"] }
    try await shutdown.value.check()

    #expect(clock.now.offset == .seconds(4))
  }

  /// Checks that a shutdown returns at its deadline even if nothing is to be torn down. This
  /// applies to bodies that are called with a plain `await` as well as to bodies that can be
  /// retried.
  @Test(arguments: [nil, PebbleTrait.retry(.attempts(3))])
  func whereNothingIsToBeTornDownTheCallerIsLetGo(trait: PebbleTrait?) async throws {
    let pond = Pond("server")
    let (started, gate) = (Gate(), Gate())
    let stuck = pond.pebble("stuck", .traits(trait ?? .priority(0))) {
      started.open()
      await gate.passed()
    }
    let after = pond.pebble("after", when: stuck.settled) {}
    let run = try pond.start(clock: clock)
    await started.passed()

    let shutdown = Task { try await run.shutdown(within: .seconds(1)) }
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    let record = try #require(try await shutdown.value.failures.first)
    #expect(record.pebble == "stuck")
    #expect(record.error as? PebbleTimeout != nil)
    #expect(record.finished == .seconds(1))
    #expect(record.isStillRunning)

    let report = try await run.report
    let timeout = try #require(report.outcome(of: stuck).error as? PebbleTimeout)
    #expect(timeout.isLimitOfShutdown)
    #expect(report.record(of: stuck)?.isStillRunning == true)
    #expect(report.outcome(of: after).isSkipped)
    #expect(report.exitCode == 1)

    gate.open()
    try await until { !record.isStillRunning }
    #expect(report.record(of: stuck)?.isStillRunning == false)
  }

  @Test func theRecordOfWhatWasLeftBehindKeepsNothingOfTheRun() async throws {
    weak var storage: RunStorage?
    let gate = Gate()
    do {
      let pond = Pond("server")
      let started = Gate()
      pond.pebble("database", teardown: { (_: Int) in }) { 1 }
      pond.pebble("stuck") {
        started.open()
        await gate.passed()
      }
      let run = try pond.start(clock: clock)
      storage = run.core.storage
      await started.passed()
      let shutdown = Task { try await run.shutdown(within: .seconds(1)) }
      await clock.asleep(1)
      clock.advance(by: .seconds(1))
      #expect(try await shutdown.value.failures.contains { $0.pebble == "stuck" })
      gate.open()
    }
    try await until { storage == nil }
  }

  @Test func aRunnerThatIsLeftBehindMayHaveRunOtherPebblesBefore() async throws {
    let pond = Pond("server")
    let (started, gate) = (Gate(), Gate())
    let first = pond.pebble("first") {}
    let second = pond.pebble("second", when: first.succeeded) {}
    let stuck = pond.pebble("stuck", when: second.succeeded) {
      started.open()
      await gate.passed()
    }
    pond.pebble("after", when: stuck.succeeded) {}
    let run = try pond.start(clock: clock)
    await started.passed()

    let shutdown = Task { try await run.shutdown(within: .seconds(1)) }
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    #expect(try await shutdown.value.failures.map(\.pebble) == ["stuck"])
    let report = try await run.report
    #expect(report.succeeded(first) && report.succeeded(second) && report.failed(stuck))
    gate.open()
  }

  @Test func aBodyThatEndsAsItIsGivenUpSettlesOnce() async throws {
    for round in 1...200 {
      let pond = Pond("server")
      let (started, gate) = (Gate(), Gate())
      let outcomes = Logbook<String>()
      let stuck = pond.pebble("stuck") {
        started.open()
        await gate.passed()
        return round
      }
      let others = (0..<3).map { number in pond.pebble("other \(number)", needs: stuck) { $0 } }
      let clock = AlarmClock()
      let run = try pond.start(clock: clock)
      let events = run.events
      await started.passed()
      let shutdown = Task { try await run.shutdown(within: .seconds(1)) }
      await clock.asleep(1)

      Task.detached { gate.open() }
      clock.advance(by: .seconds(1))
      _ = try await shutdown.value
      let report = try await run.report
      for await event in events where event.kind == .settled && event.pebble == "stuck" {
        outcomes.note("\(report.outcome(of: stuck))")
      }

      #expect(outcomes.count == 1)
      #expect(report.failed(stuck) == (report[stuck] == nil))
      #expect(others.allSatisfy { report.outcome(of: $0).isSkipped })
      try await until { report.record(of: stuck)?.isStillRunning == false }
    }
  }

  @Test func whatRunsInsideOfABodyThatWasLeftBehindIsShutDown() async throws {
    let pond = Pond("outer")
    let (started, gate) = (Gate(), Gate())
    let closed = Logbook<Int>()
    let inner = Pond("inner")
    inner.pebble("database", teardown: { closed.note($0) }) { 1 }
    let stuck = pond.pebble("stuck") {
      let run = try inner.start()
      _ = try await run.report
      started.open()
      await gate.passed()
    }
    let run = try pond.start(clock: clock)
    await started.passed()

    let shutdown = Task { try await run.shutdown(within: .seconds(1)) }
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    let report = try await shutdown.value
    #expect(report.failures.map(\.pebble) == ["stuck"])
    try await until { closed.count == 1 }
    #expect(try await run.report.failed(stuck))
    gate.open()
  }

  /// Checks the time limit of a run inside an abandoned body. The outer pond itself has nothing to
  /// tear down.
  @Test func whatRunsInsideOfABodyThatWasLeftBehindHasTheOtherHalfOfTheTime() async throws {
    let pond = Pond("outer")
    let (started, gate) = (Gate(), Gate())
    defer { gate.open() }
    let inner = Pond.server("listener", journal)
    pond.pebble("stuck") { [clock] in
      _ = try await inner.run(clock: clock)
      started.open()
      await gate.passed()
    }
    let run = try pond.start(clock: clock)
    await started.passed()

    let shutdown = Task { try await run.shutdown(within: .seconds(2)) }
    await clock.asleep(1)
    try #require(clock.sleeps.entries == [.seconds(1)])
    clock.advance(by: .seconds(1))
    let failures = try await shutdown.value.failures

    #expect(failures.map(\.pebble) == ["stuck"])
    #expect(journal.entries == ["listener up", "listener asked", "listener gone"])
    #expect(clock.now.offset == .seconds(1))
  }

  @Test func aGrantThatIsSlowToAnswerDoesNotHoldUpTheDeadline() async throws {
    let pond = Pond("boot")
    let after = pond.pebble("after") {}
    let grant = ManualGrant()
    let run = try pond.start(clock: clock, within: .seconds(5), holding: grant)
    await grant.wasAsked()
    await clock.asleep(1)
    clock.advance(by: .seconds(5))

    let report = try await run.report

    #expect(report.cancellation == .deadlinePassed)
    #expect(report.outcome(of: after).skipReason == .cancelled)
    grant.answer(7)
    try await until { grant.ended.entries == [7] }
  }

  @Test func theTeardownOfABlockingPebbleBlocksAThreadOfItsOwn() async throws {
    let pond = Pond("drivers")
    let threads = Logbook<String>()
    pond.pebble("driver", .blocking, teardown: { threads.note(Self.threadName) }) {
      threads.note(Self.threadName)
    }
    let run = try pond.start()
    _ = try await run.report
    try await run.shutdown().check()

    #expect(threads.entries == ["pebble-blocking", "pebble-blocking"])
  }

  private static var threadName: String {
    #if canImport(Darwin)
    var name = [CChar](repeating: 0, count: 64)
    pthread_getname_np(pthread_self(), &name, name.count)
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    #else
    guard let file = fopen("/proc/thread-self/comm", "r") else { return "pebble-blocking" }
    defer { fclose(file) }
    var line: [UInt8] = []
    while case let byte = fgetc(file), byte >= 0, byte != 10 { line.append(UInt8(byte)) }
    return String(decoding: line, as: UTF8.self)
    #endif
  }
}
