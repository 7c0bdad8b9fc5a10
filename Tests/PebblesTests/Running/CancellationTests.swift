import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

@Suite(.watched) struct CancellationTests {
  private let pond = Pond("cancelled")

  @Test func aClockThatCancelsWhenItIsReadDoesNotDeadlock() async throws {
    let (clock, gate) = (CancellingClock(), Gate())
    pond.pebble("pebble") { await gate.passed() }

    let run = try pond.start(clock: clock)
    clock.cancels(run)
    run.cancel()
    gate.open()

    #expect(try await run.report.cancellation == .requested)
  }

  @Test func cancellingWhileABodyRunsReachesItAndSkipsWhatWaits() async throws {
    let started = Gate()
    let body = pond.pebble("body") {
      started.open()
      try await untilCancelled()
    }
    let waiting = pond.pebble("waiting", when: body.completed) {}
    let next = pond.pebble("next", needs: waiting.optional) { _ in }

    let run = try pond.start()
    await started.passed()
    run.cancel()
    let report = try await run.report

    #expect(report.isCancelled)
    #expect(report.outcome(of: body).error is CancellationError)
    #expect(report.outcome(of: waiting).skipReason == .cancelled)
    #expect(report.outcome(of: next).skipReason == .cancelled)
    #expect(
      report.record(of: waiting)?.explanation
        == "waiting was skipped: the run was cancelled before it could start")
  }

  @Test func whatWasReadyAndCouldNotStartWasSkippedBecauseOfNoPebble() async throws {
    let pond = Pond("cancelled")
    let (started, goesOn) = (Gate(), Gate())
    pond.pebble("holder", .exclusive("key")) {
      started.open()
      await goesOn.passed()
    }
    let first = pond.pebble("first") { await started.passed() }
    pond.pebble("waits", .exclusive("key"), when: first.succeeded) {}
    let run = try pond.start(eventHistory: 100)
    try await until { run.core.queue.ordered?.waitingCount == 1 && run.status.settled == 1 }
    run.cancel()
    goesOn.open()
    _ = try await run.report

    let causes = await run.events.reduce(into: [String?]()) { causes, event in
      if case .settled("waits", _, _, let cause) = event.happening { causes.append(cause) }
    }
    #expect(causes == [nil])
    #expect(run.status.pebbles.last?.cause == nil)
  }

  @Test func cancellingAtOnceStillGivesAWholeReport() async throws {
    for _ in 0..<100 {
      let pond = Pond("at once")
      let first = pond.pebble("first") {}
      let second = pond.pebble("second", when: first.succeeded) {}
      let third = pond.pebble("third", when: second.failed) {}

      let run = try pond.start()
      run.cancel()
      let report = try await run.report

      #expect(report.records.count == 3)
      #expect(report.outcome(of: third).isSkipped)
      if report.outcome(of: first).isSkipped {
        #expect(report.isCancelled)
        #expect(report.outcome(of: second).skipReason == .cancelled)
      }
    }
  }

  @Test func cancellingTheCallersTaskCancelsTheRun() async throws {
    let started = Gate()
    let body = pond.pebble("body") {
      started.open()
      try await untilCancelled()
    }
    let waiting = pond.pebble("waiting", when: body.settled) {}

    let caller = Task { [pond] in try await pond.run() }
    await started.passed()
    caller.cancel()
    let report = try await caller.value

    #expect(report.isCancelled)
    #expect(report.outcome(of: body).isFailed)
    #expect(report.outcome(of: waiting).skipReason == .cancelled)
  }

  @Test func aRunFromATaskThatIsCancelledAlreadyStartsNothing() async throws {
    let gate = Gate()
    let only = pond.pebble("only") { try Task.checkCancellation() }
    let after = pond.pebble("after", when: only.settled) {}

    let caller = Task { [pond] in
      await gate.passed()
      return try await pond.run()
    }
    caller.cancel()
    gate.open()
    let report = try await caller.value

    #expect(report.isCancelled)
    #expect(!report.outcome(of: only).isSucceeded)
    #expect(report.outcome(of: after).skipReason == .cancelled)
  }

  @Test func cancellingTheTaskThatOnlyAwaitsAReportDoesNotCancelTheRun() async throws {
    let gate = Gate()
    let slow = pond.pebble("slow") { await gate.passed() }
    let run = try pond.start()

    let reader = Task { try await run.report }
    reader.cancel()
    gate.open()
    let report = try await reader.value

    #expect(!report.isCancelled)
    #expect(report.outcome(of: slow).isSucceeded)
  }

  @Test func aCallbackThatIsPendingFailsWithCancellation() async throws {
    let started = Gate()
    let kept = Mutex<Completion?>(nil)
    let callback = pond.pebble("callback") { complete in
      kept.withLock { $0 = complete }
      started.open()
    }

    let run = try pond.start()
    await started.passed()
    run.cancel()
    let report = try await run.report
    #expect(report.record(of: callback)?.ignoredCompletions == 0)
    kept.withLock { $0 }?.succeed()

    #expect(report.outcome(of: callback).error is CancellationError)
    #expect(report.record(of: callback)?.ignoredCompletions == 1)
  }

  @Test func aBodyThatIgnoresCancellationStillCountsAsWhatItReturns() async throws {
    let started = Gate()
    let gate = Gate()
    let stubborn = pond.pebble("stubborn") {
      started.open()
      await gate.passed()
      return 7
    }
    let after = pond.pebble("after", needs: stubborn) { $0 }
    let impossible = pond.pebble("impossible", when: stubborn.failed) {}

    let run = try pond.start()
    await started.passed()
    run.cancel()
    gate.open()
    let report = try await run.report

    #expect(report[stubborn] == 7)
    #expect(report.outcome(of: after).skipReason == .cancelled)
    #expect(report.outcome(of: impossible).isSkipped)
  }

  @Test func aTimeoutAfterTheCancellationIsNoFailure() async throws {
    let clock = AlarmClock()
    let (pond, ends) = (Pond("boot"), Gate())
    let slow = pond.pebble("slow", .timeout(.seconds(1))) { await ends.passed() }
    let run = try pond.start(clock: clock)
    await clock.asleep(1)
    run.cancel()
    clock.advance(by: .seconds(1))
    let report = try await run.report
    let record = try #require(report.record(of: slow))

    #expect(record.outcome.error is PebbleTimeout)
    #expect(record.wasCancelled)
    #expect(record.isStillRunning)
    #expect(report.unhandledFailures.isEmpty)
    ends.open()
  }

  @Test(arguments: [PebbleTimeout.Scope.run, .shutdown])
  func aTimeoutOfAnotherRunAfterTheCancellationIsNoFailure(
    _ scope: PebbleTimeout.Scope
  ) async throws {
    let (started, ends) = (Gate(), Gate())
    let outer = pond.pebble("outer") {
      started.open()
      await ends.passed()
      throw PebbleTimeout(pebble: "inner", limit: .seconds(1), scope, in: RunIdentifier())
    }
    let run = try pond.start()
    await started.passed()
    run.cancel()
    ends.open()
    let report = try await run.report

    #expect(report.record(of: outer)?.wasCancelled == true)
    #expect(report.unhandledFailures.isEmpty)
  }

  @Test func cancellationReachesEverySuspendedBody() async throws {
    let meeting = Meeting(of: 31)
    for number in 0..<30 {
      pond.pebble("p\(number)") {
        await meeting.attend()
        try await untilCancelled()
      }
    }

    let run = try pond.start()
    await meeting.attend()
    run.cancel()
    let report = try await run.report

    #expect(report.records.allSatisfy { $0.outcome.error is CancellationError })
  }

  @Test func cancellingAgainChangesNothing() async throws {
    let clock = ManualClock()
    let started = Gate()
    let body = pond.pebble("body") {
      started.open()
      try await untilCancelled()
    }
    let waiting = pond.pebble("waiting", when: body.succeeded && body.failed) {}
    let other = pond.pebble("other", when: body.succeeded || body.failed) {}

    let run = try pond.start(clock: clock)
    await started.passed()
    clock.advance(by: .milliseconds(1))
    run.cancel()
    run.cancel()
    let report = try await run.report

    #expect(report.isCancelled)
    #expect(report.outcome(of: waiting).isSkipped)
    #expect(report.record(of: other)?.finished == .milliseconds(1))
  }

  @Test func cancellingAfterTheEndLeavesTheReportAsItIs() async throws {
    let good = pond.pebble("good") { 1 }
    let run = try pond.start()
    let before = try await run.report

    run.cancel()
    let after = try await run.report

    #expect(!before.isCancelled)
    #expect(!after.isCancelled)
    #expect(after[good] == 1)
  }

  /// Tests an executor that cancels the run while the task of a runner is being created. The code
  /// that creates the task must not hold a lock that the cancellation needs, because both could
  /// then wait for each other.
  @Test func anExecutorThatCancelsAsARunnerIsMadeDoesNotDeadlock() async throws {
    let executor = CancellingExecutor()
    let body = pond.pebble("body") {}

    let run = Task {
      await executor.gate.passed()
      let report: Mutex<Report?> = Mutex(nil)
      await executor.callWithRuns {
        let made = try? await pond.run()
        report.withLock { $0 = made }
      }
      return report.withLock { $0 }
    }
    executor.cancels { run.cancel() }

    let report = try #require(await run.value)
    #expect(report.isCancelled)
    #expect(report.outcome(of: body).skipReason == .cancelled)
  }

  @Test func aCancelledRunLeavesOtherRunsAlone() async throws {
    let meeting = Meeting(of: 2)
    let gate = Gate()
    let body = pond.pebble("body") {
      await meeting.attend()
      await gate.passed()
      try Task.checkCancellation()
    }

    let (cancelled, other) = (try pond.start(), try pond.start())
    await meeting.attendAsGuest()
    cancelled.cancel()
    gate.open()

    #expect(try await cancelled.report.outcome(of: body).isFailed)
    #expect(try await other.report.outcome(of: body).isSucceeded)
  }
}

/// An executor that cancels when the first job is enqueued on it, before it runs that job.
private final class CancellingExecutor: TaskExecutor {
  private let cancel = Mutex<(@Sendable () -> Void)?>(nil)
  let gate = Gate()

  func cancels(_ cancel: @escaping @Sendable () -> Void) {
    self.cancel.withLock { $0 = cancel }
    gate.open()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    cancel.withLock { $0.take() }?()
    globalConcurrentExecutor.enqueue(job)
  }
}

/// A clock that stands still, and that cancels a run when it is next read.
private final class CancellingClock: Clock, Sendable {
  typealias Instant = ManualClock.Instant

  private let run = Mutex<Run?>(nil)

  var minimumResolution: Duration { .nanoseconds(1) }

  var now: Instant {
    run.withLock { $0.take() }?.cancel()
    return Instant(offset: .zero)
  }

  func cancels(_ run: Run) {
    self.run.withLock { $0 = run }
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}
