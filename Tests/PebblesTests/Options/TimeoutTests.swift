import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

@Suite(.watched) struct TimeoutTests {
  private let pond = Pond("timed")
  private let clock = AlarmClock()
  private let limit = Duration.seconds(5)

  // MARK: - Bodies that take too long

  @Test func aBodyThatTakesTooLongFailsOnTimeAndIsTold() async throws {
    let (started, told) = (Gate(), Gate())
    let cores = pond.pebble("cores", .timeout(limit)) {
      started.open()
      try? await untilCancelled()
      told.open()
    }

    let report = try await reportAfterTimeout(of: started)
    await told.passed()

    let expected = PebbleTimeout(pebble: "cores", limit: limit, .attempt)
    #expect(report.outcome(of: cores).error as? PebbleTimeout == expected)
    #expect(report.record(of: cores)?.finished == limit)
    #expect(
      report.record(of: cores)?.explanation == "cores failed: it did not end within 5.0 seconds")
    #expect(!report.isCancelled)
  }

  @Test func aBodyThatIgnoresCancellationHoldsNothingUp() async throws {
    let (started, gate) = (Gate(), Gate())
    let returned = Logbook<Int>()
    let cores = pond.pebble("cores", .timeout(limit)) {
      started.open()
      await gate.passed()
      returned.note(83)
      return 83
    }
    let after = pond.pebble("after", needs: cores.result) { cores in (try? cores.get()) == nil }

    let report = try await reportAfterTimeout(of: started)

    let record = try #require(report.record(of: cores))
    #expect(record.outcome.error is PebbleTimeout)
    #expect(record.isStillRunning)
    #expect(report[after] == true)
    let remark = "it did not end within 5.0 seconds; handled"
    #expect("\(report)".contains("\(remark); its body is still running\n"))

    gate.open()
    try await until { !record.isStillRunning }

    #expect("\(report)".contains("\(remark)\n"))
    #expect(returned.entries == [83])
    #expect(report[cores] == nil)
    #expect(record.outcome.error is PebbleTimeout)
  }

  @Test func aReportNamesWhatGoesOnFromItsFirstMoment() async throws {
    for _ in 0..<100 {
      let gate = Gate()
      let meeting = Meeting(of: 4)
      let clock = AlarmClock()
      let pond = Pond("timed")
      for number in 0..<3 {
        pond.pebble("\(number)", .timeout(limit)) {
          await meeting.attend()
          await gate.passed()
        }
      }

      let run = try pond.start(clock: clock)
      await meeting.attend()
      await clock.asleep(3)
      clock.advance(by: limit)
      let report = try await run.report

      #expect(report.records.allSatisfy { $0.outcome.error is PebbleTimeout })
      #expect(report.records.allSatisfy { $0.isStillRunning })
      gate.open()
      try await until { !report.records.contains(where: \.isStillRunning) }
    }
  }

  @Test func aLateErrorIsDroppedToo() async throws {
    let (started, gate) = (Gate(), Gate())
    let cores = pond.pebble("cores", .timeout(limit)) {
      started.open()
      await gate.passed()
      throw Breakdown("too late")
    }

    let report = try await reportAfterTimeout(of: started)
    gate.open()
    let record = try #require(report.record(of: cores))
    try await until { !record.isStillRunning }

    #expect(record.outcome.error is PebbleTimeout)
    #expect(record.attempts.count == 1)
  }

  @Test func everyFormOfBodyTimesOut() async throws {
    let gate = Gate()
    let seed = pond.pebble("seed") { 1 }
    pond.pebble("plain", .timeout(limit)) { await gate.passed() }
    pond.pebble("inputs", .timeout(limit), needs: seed) { _ in await gate.passed() }
    pond.pebble("callback", .timeout(limit)) { complete in
      await gate.passed()
      complete(true)
    }
    pond.pebble("onMain", .timeout(limit)) { @MainActor in await gate.passed() }
    pond.service("service", .timeout(limit)) { ready in
      await gate.passed()
      ready()
    }

    let run = try pond.start(clock: clock)
    await clock.asleep(5)
    clock.advance(by: limit)
    let report = try await run.report

    for record in report.records.dropFirst() {
      #expect((record.outcome.error as? PebbleTimeout)?.pebble == record.name)
      #expect(record.finished == limit)
    }
    gate.open()
    try await until { !report.records.contains(where: \.isStillRunning) }
    #expect(report.unhandledFailures.count == 5)
  }

  // MARK: - Bodies that end in time

  @Test func aBodyThatEndsInTimeIsLeftAlone() async throws {
    let gate = Gate()
    let cores = pond.pebble("cores", .timeout(limit)) {
      await gate.passed()
      try Task.checkCancellation()
      return 83
    }

    let run = try pond.start(clock: clock)
    await clock.asleep(1)
    clock.advance(by: limit - .nanoseconds(1))
    gate.open()
    let report = try await run.report
    clock.advance(by: limit)

    #expect(report[cores] == 83)
    #expect(report.record(of: cores)?.isStillRunning == false)
  }

  @Test func anErrorInTimeIsTheErrorOfThePebble() async throws {
    let cores = pond.pebble("cores", .timeout(limit)) { throw Breakdown() }

    let report = try await pond.run(clock: clock)

    #expect(report.outcome(of: cores).error is Breakdown)
  }

  @Test func cancellingTheRunReachesABodyWithATimeout() async throws {
    let cores = pond.pebble("cores", .timeout(limit)) { try await untilCancelled() }

    let run = try pond.start(clock: clock)
    await clock.asleep(1)
    run.cancel()
    let report = try await run.report

    #expect(report.outcome(of: cores).error is CancellationError)
    #expect(report.makespan == .zero)
  }

  @Test func aCancelledRunDoesNotWaitLongerThanTheTimeout() async throws {
    let gate = Gate()
    let cores = pond.pebble("cores", .timeout(limit)) { await gate.passed() }

    let run = try pond.start(clock: clock)
    await clock.asleep(1)
    run.cancel()
    clock.advance(by: limit)
    let report = try await run.report
    gate.open()

    #expect(report.outcome(of: cores).error is PebbleTimeout)
    #expect(report.makespan == limit)
  }

  // MARK: - Attempts and permits

  @Test func anAttemptBeginsWhenTheOneBeforeHasEndedAndHasItsOwnTime() async throws {
    let attempts = Attempts(failing: 0)
    let late = Gate()
    let ended = Gate()
    let cores = pond.pebble("cores", .timeout(limit), .retry(.attempts(2))) {
      let attempt = try attempts.next()
      if attempt == 1 { await late.passed() } else { await ended.passed() }
      return attempt
    }

    let run = try pond.start(clock: clock)
    await clock.asleep(1)
    clock.advance(by: limit)
    await clock.asleep(1)
    clock.advance(by: .seconds(4))
    // That it ends after all decides nothing, but lets the second one begin.
    late.open()
    ended.open()
    let report = try await run.report

    let record = try #require(report.record(of: cores))
    #expect(report[cores] == 2)
    #expect(record.attempts.map(\.started) == [.zero, .seconds(9)])
    #expect(record.attempts.map(\.finished) == [limit, .seconds(9)])
    #expect(record.attempts.map { $0.error is PebbleTimeout } == [true, false])
    try await until { !record.isStillRunning }
  }

  @Test func aTimeoutGivesBackOnlyThePlaceAmongTheRunning() async throws {
    let pond = Pond("timed", maxConcurrent: 1)
    let gate = Gate()
    pond.pebble(
      "holder", .timeout(limit), .exclusive("database"), .uses("connections", of: 2), .priority(1)
    ) { await gate.passed() }
    let next = pond.pebble(
      "next", .exclusive("database"), .uses("connections", 2)
    ) { 1 }
    let other = pond.pebble("other") { gate.open() }

    let run = try pond.start(clock: clock)
    await clock.asleep(1)
    clock.advance(by: limit)
    let report = try await run.report

    #expect(report[next] == 1)
    #expect(report.record(of: other)?.started == limit)
    #expect(report.record(of: next)?.started == limit)
  }

  // MARK: - Limits

  @Test(arguments: [Duration.seconds(Int64.max), Duration(attoseconds: .max)])
  func theLongestTimeoutsDoNotTrap(limit: Duration) async throws {
    let gate = Gate()
    let cores = pond.pebble("cores", .timeout(limit), .retry(.attempts(2))) {
      await gate.passed()
      return 83
    }

    let runs = [
      try pond.start(clock: ContinuousClock()), try pond.start(clock: SuspendingClock()),
      try pond.start(clock: clock), try pond.start(clock: clock, within: limit),
    ]
    await clock.asleep(2)
    gate.open()

    for run in runs { #expect(try await run.report[cores] == 83) }
  }

  @Test func theShortestTimeoutEndsAsSuccessOrTimeout() async throws {
    for _ in 0..<100 {
      let pond = Pond("timed")
      let cores = pond.pebble("cores", .timeout(Duration(attoseconds: 1))) { 83 }

      let report = try await pond.run()

      #expect(report[cores] == 83 || report.outcome(of: cores).error is PebbleTimeout)
    }
  }

  @Test func aTimeoutOfManyYearsPassesOnAClockOfMoreYears() async throws {
    let gate = Gate()
    let years = Duration.seconds(Int64.max / 4)
    let cores = pond.pebble("cores", .timeout(years)) { await gate.passed() }
    let after = pond.pebble("after", when: cores.failed) { 1 }

    let run = try pond.start(clock: clock)
    await clock.asleep(1)
    clock.advance(by: years)
    let report = try await run.report
    gate.open()

    // Times in reports stop at 584 years, and that is no deadline.
    #expect(report[after] == 1)
    #expect(!report.isCancelled)
    #expect(report.description.contains("1 failed, 1 succeeded"))
  }

  private func reportAfterTimeout(of started: Gate) async throws -> Report {
    let run = try pond.start(clock: clock)
    await started.passed()
    await clock.asleep(1)
    clock.advance(by: limit)
    return try await run.report
  }
}
