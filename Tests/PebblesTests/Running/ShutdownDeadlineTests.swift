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

/// Deadlines are kept, whatever bodies do.
@Suite(.timeLimit(.minutes(15))) struct ShutdownDeadlineTests {
  private let clock = AlarmClock()
  private let journal = Journal<String>()

  @Test func theReportDoesNotWaitForATeardownBeyondTheDeadlineOfTheRun() async throws {
    let pond = Pond("boot")
    let gate = Gate()
    let cache = pond.pebble("cache", teardown: { await gate.passed() }) {}
    let started = Gate()
    pond.pebble("slow", when: cache.succeeded) {
      started.open()
      try await untilCancelled()
    }
    let run = try pond.start(clock: clock, within: .seconds(10))
    await started.passed()
    run.cancel()
    await until { run.status.phase == .shuttingDown }
    await until { clock.sleeps.entries.count >= 3 }
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

    let shutdown = Task { try await run.shutdown(within: .seconds(1)) }
    await until { clock.sleeps.entries.contains(.seconds(1)) }
    clock.advance(by: .seconds(1))
    _ = try await shutdown.value
    let report = try await run.report

    let timeout = try #require(report.outcome(of: stuck).error as? PebbleTimeout)
    #expect(timeout.isLimitOfShutdown)
    #expect(report.record(of: stuck)?.isStillRunning == true)
    await until { journal.entries == ["closed"] }
    #expect(report.exitCode == 1)
    gate.open()
    await until { report.record(of: stuck)?.isStillRunning == false }
  }

  @Test func whereNothingIsToBeTornDownTheCallerIsLetGo() async throws {
    let pond = Pond("server")
    let (started, gate) = (Gate(), Gate())
    pond.pebble("stuck") {
      started.open()
      await gate.passed()
    }
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

    gate.open()
    _ = try await run.report
    #expect(!record.isStillRunning)
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
    await until { grant.ended.entries == [7] }
  }

  @Test func theTeardownOfABlockingPebbleBlocksAThreadOfItsOwn() async throws {
    let pond = Pond("drivers")
    let threads = Journal<String>()
    pond.pebble("driver", .blocking, teardown: { threads.note(Self.threadName) }) {
      threads.note(Self.threadName)
    }
    let run = try pond.start()
    _ = try await run.report
    try await run.shutdown().check()

    #expect(threads.entries == ["pebble-blocking", "pebble-blocking"])
  }

  private static var threadName: String {
    guard let file = fopen("/proc/thread-self/comm", "r") else { return "pebble-blocking" }
    defer { fclose(file) }
    var line: [UInt8] = []
    while case let byte = fgetc(file), byte >= 0, byte != 10 { line.append(UInt8(byte)) }
    return String(decoding: line, as: UTF8.self)
  }
}
