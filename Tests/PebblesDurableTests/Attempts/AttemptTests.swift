import PebblesDurable
import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct AttemptTests {
  private let pond = Pond("nightly")
  private let clock = AlarmClock()

  private func attempt(
    _ pebble: some PebbleIdentifying, number: Int = 1, _ inputs: [String: EncodedOutcome] = [:]
  ) async throws -> AttemptResult {
    try await pond.attempt(
      pebble, number: number, inputs: inputs, coder: JSONOutputs(), clock: clock)
  }

  // MARK: - Inputs and output

  @Test func inputsAreDecodedAndTheOutputIsEncoded() async throws {
    let pages = pond.pebble("pages") { [1, 2] }
    let name = pond.pebble("name") { "launches" }
    let store = pond.pebble("store", needs: pages, name) { pages, name in
      "\(name): \(pages.reduce(0, +))"
    }

    let result = try await attempt(
      store, ["pages": .succeeded(.json("[3,4]")), "name": .succeeded(.json("\"cores\""))])

    #expect(result.output == "\"cores: 7\"")
  }

  @Test func everyFormOfInputIsHandedWhatHappenedElsewhere() async throws {
    let number = pond.pebble("number") { 1 }
    let seen = pond.pebble(
      "seen", needs: number.result, number.optional, number.outcome
    ) { result, optional, outcome in
      "\((try? result.get()) ?? -1) \(optional ?? -1) \(outcome)"
    }
    let settled = pond.pebble("settled", needs: number.optional, number.outcome) {
      (optional, outcome) in "\(optional ?? -1) \(outcome.skipReason?.decidedBy ?? "")"
    }

    let succeeded = try await attempt(seen, ["number": .succeeded(.json("7"))])
    let failed = try await attempt(seen, ["number": .failed(RecordedError("no route"))])
    let skipped = try await attempt(
      settled, ["number": .skipped(.conditionFalse(decidedBy: "ping"))])

    #expect(succeeded.output == "\"7 7 succeeded\"")
    #expect(failed.output?.hasPrefix("\"-1 -1 failed(") == true)
    #expect(failed.output?.contains("no route") == true)
    #expect(skipped.output == "\"-1 ping\"")
  }

  @Test func bodiesWithoutOutputHaveNoBytes() async throws {
    let done = pond.pebble("done") {}
    let after = pond.pebble("after", needs: done) { (_: Void) in }
    let callback = pond.pebble("callback") { complete in complete(true) }

    for pebble in [done, callback] {
      guard case .succeeded(nil, _) = try await attempt(pebble) else {
        Issue.record("\(pebble.name) has an output")
        continue
      }
    }
    // With bytes as well: the pebble may have had an output in another version.
    #expect(try await attempt(after, ["done": .succeeded(nil)]).isSucceeded)
    #expect(try await attempt(after, ["done": .succeeded(.json("1"))]).isSucceeded)
  }

  /// Checks that a task that a failed body has left behind can still run a pond. The body was not
  /// called by a run, so the new run belongs to no other.
  @Test func aTaskThatAFailedBodyHasLeftMayStillRunAPond() async throws {
    let inner = Pond("inner")
    inner.pebble("inside") {}
    let isOver = Gate()
    let tasks = Logbook<Task<Report, any Error>>()
    let fails = pond.pebble("fails") {
      tasks.note(
        Task {
          await isOver.passed()
          return try await inner.run()
        })
      throw Breakdown()
    }

    #expect(try await attempt(fails).failure != nil)
    isOver.open()

    #expect(try await tasks.entries.first?.value.isAllSucceeded == true)
  }

  @Test func pebblesOfClustersReadTheirOwnInputs() async throws {
    let cache = Pond("cache")
    let open = cache.pebble("open") { 1 }
    cache.pebble("fill", needs: open) { $0 + 1 }
    for name in ["a", "b"] { pond.add(cache, as: name) }

    let result = try await attempt(
      .named("b/fill"), ["a/open": .succeeded(.json("10")), "b/open": .succeeded(.json("20"))])

    #expect(result.output == "21")
  }

  @Test func aFailureOfTheBodyIsInTheResult() async throws {
    let load = pond.pebble("load") { throw Breakdown("no route") }
    let ping = pond.pebble("ping") { complete in complete(false) }
    let lost = pond.pebble("lost") { (_: Completion) in }

    #expect(try await attempt(load).error as? Breakdown == Breakdown("no route"))
    #expect(try await attempt(ping).error as? CompletionError == .reportedFailure)
    #expect(try await attempt(lost).error as? CompletionError == .abandoned)
  }

  // MARK: - Where the body is

  @Test func theBodyKnowsItsRunAndNoneThatItCouldWaitFor() async throws {
    let load = pond.pebble("load") {
      let context = try #require(PebbleContext.current)
      #expect(context.run == nil)
      return "\(context.pond) \(context.pebble) \(context.attempt) \(context.idempotencyKey)"
    }
    let run = RunIdentifier("17/a")

    let result = try await pond.attempt(load, number: 3, of: run, coder: JSONOutputs())

    #expect(result.output == #""nightly load 3 17%2Fa/load""#)
    #expect(PebbleContext.current == nil)
  }

  @Test func theKeyOfARenamedPebbleHasTheNameThatItsRunKnows() async throws {
    pond.pebble("fetch") {
      let context = try #require(PebbleContext.current)
      return "\(context.pebble) \(context.idempotencyKey)"
    }

    let result = try await pond.attempt(
      .named("fetch", originally: "download"), of: RunIdentifier("17"), coder: JSONOutputs())

    #expect(result.output == #""fetch 17/download""#)
  }

  @Test func whatThePondHasAroundBodiesIsAroundThisOne() async throws {
    let journal = Logbook<String>()
    let pond = Pond("nightly") { context, body in
      journal.note("> \(context.pebble) \(context.attempt)")
      try await body()
      journal.note("<")
    }
    pond.pebble("load") { journal.note("body") }

    _ = try await pond.attempt(.named("load"), number: 2, coder: JSONOutputs())

    #expect(journal.entries == ["> load 2", "body", "<"])
  }

  @Test func aBlockingBodyHasAThreadOfItsOwn() async throws {
    let roadblock = Roadblock(for: 1)
    let load = pond.pebble("load", .blocking) { roadblock.hold() }

    async let result = attempt(load)
    await roadblock.isFull.passed()
    roadblock.open()

    #expect(try await result.isSucceeded)
  }

  @Test func aPondThatTheBodyRunsIsARunOfItsOwn() async throws {
    let load = pond.pebble("load") {
      let inner = Pond("inner")
      let page = inner.pebble("page") { PebbleContext.current?.pond }
      return try await inner.run()[page]
    }

    #expect(try await attempt(load).output == "\"inner\"")
  }

  @Test func anAttemptInsideOfARunIsNotPartOfIt() async throws {
    let other = Pond("other")
    let load = other.pebble("load") { PebbleContext.current?.run == nil }
    let caller = pond.pebble("caller") {
      let result = try await other.attempt(load, coder: JSONOutputs())
      return "\(result.output ?? "") \(PebbleContext.current?.pebble ?? "")"
    }

    let report = try await pond.run(clock: clock)

    #expect(report[caller] == "true caller")
  }

  // MARK: - Trying again

  @Test func aFailureSaysWhetherToTryAgainAndWhen() async throws {
    let waits = RetryPolicy.backoff(
      attempts: 4, initial: .seconds(1), maximum: .seconds(3), jitter: .none)
    pond.pebble("never") { throw Breakdown() }
    pond.pebble("atOnce", .retry(.attempts(3))) { throw Breakdown() }
    pond.pebble("later", .retry(waits)) { throw Breakdown() }
    pond.pebble("filtered", .retry(.attempts(3, only: { !($0 is Breakdown) }))) {
      throw Breakdown()
    }

    #expect(try await delays("never", attempts: 1) == [nil])
    #expect(try await delays("atOnce", attempts: 4) == [.zero, .zero, nil, nil])
    #expect(
      try await delays("later", attempts: 4) == [.seconds(1), .seconds(2), .seconds(3), nil])
    #expect(try await delays("filtered", attempts: 1) == [nil])
  }

  private func delays(_ pebble: String, attempts: Int) async throws -> [Duration?] {
    var delays: [Duration?] = []
    for number in 1...attempts {
      let failure = try #require(try await attempt(.named(pebble), number: number).failure)
      delays.append(failure.retryAfter)
    }
    return delays
  }

  @Test func noNumberOfAttemptsIsTooLarge() async throws {
    let patient = RetryPolicy.backoff(attempts: .max, initial: .seconds(1), jitter: .none)
    let load = pond.pebble("load", .retry(patient)) { throw Breakdown() }

    let result = try await attempt(load, number: .max - 1)
    let last = try await attempt(load, number: .max)

    #expect(result.failure?.retryAfter == .seconds(60))
    #expect(last.failure?.retryAfter == nil)
  }

  // MARK: - Cancellation and timeouts

  @Test func cancellingTheCallerCancelsTheBody() async throws {
    let started = Gate()
    let load = pond.pebble("load", .retry(.attempts(6))) {
      started.open()
      try await untilCancelled()
    }

    let task = Task { try await attempt(load) }
    await started.passed()
    task.cancel()
    let failure = try await task.value.failure

    #expect(failure?.error is CancellationError)
    #expect(failure?.retryAfter == nil)
  }

  /// Returns the result of an attempt whose calling task was cancelled before the attempt began.
  private func attemptOfCancelledCaller(
    _ pebble: some PebbleIdentifying
  ) async throws -> AttemptResult {
    let isCancelled = Gate()
    let task = Task {
      await isCancelled.passed()
      return try await attempt(pebble)
    }
    task.cancel()
    isCancelled.open()
    return try await task.value
  }

  @Test func aCancelledCallerCallsNoBody() async throws {
    let calls = Attempts(failing: 0)
    let load = pond.pebble("load") { try calls.next() }

    #expect(try await attemptOfCancelledCaller(load).error is CancellationError)
    #expect(calls.count == 0)
  }

  @Test func aCancelledCallerIsHandedTheCasesOfItsCancellation() async throws {
    let load = pond.pebble("load") {}
    _ = load.failed("cancelled") { $0 is CancellationError }

    #expect(try await attemptOfCancelledCaller(load).cases == [.failed("cancelled")])
  }

  @Test func theThreadThatACancelledCallerIsGivenGoesBack() async throws {
    let load = pond.pebble("load", .blocking) {}
    let threads = BlockingThreads(limit: 1)

    let result = try await BlockingThreads.$shared.withValue(threads) {
      try await attemptOfCancelledCaller(load)
    }

    #expect(result.error is CancellationError)
    #expect(threads.withAdmission(\.heldCount) == 0)
  }

  @Test func aBodyThatCancelsItsTaskDoesNotCancelTheCaller() async throws {
    let load = pond.pebble("load") { withUnsafeCurrentTask { $0?.cancel() } }

    #expect(try await attempt(load).isSucceeded)
    #expect(!Task.isCancelled)
  }

  @Test func aBodyThatIgnoresItsTimeoutIsGivenUpAndItsOutputTornDown() async throws {
    let (started, gate) = (Gate(), Gate())
    let closed = Logbook<Int>()
    let load = pond.pebble("load", .timeout(.seconds(5)), teardown: { closed.note($0) }) {
      started.open()
      await gate.passed()
      return 83
    }

    async let result = attempt(load)
    await started.passed()
    await clock.asleep(1)
    clock.advance(by: .seconds(5))
    let failure = try #require(try await result.failure)

    #expect(failure.error is PebbleTimeout)
    #expect(failure.retryAfter == nil)
    #expect(failure.isStillRunning)
    gate.open()
    try await until { closed.entries == [83] }
  }

  /// Adds a pebble whose body ignores its time limit and ends only when the gate opens.
  private func lateLoad(_ started: Gate, _ gate: Gate) -> Pebble<Void> {
    pond.pebble("load", .timeout(.seconds(5)), .retry(.attempts(2))) {
      started.open()
      await gate.passed()
    }
  }

  @Test func theNextAttemptDoesNotOverlapABodyThatIsLate() async throws {
    let (started, gate) = (Gate(), Gate())
    let load = lateLoad(started, gate)

    async let result = attempt(load)
    await started.passed()
    await clock.asleep(1)
    clock.advance(by: .seconds(5))
    // It waits for the body now, for as long again.
    await clock.asleep(1)
    gate.open()
    let failure = try #require(try await result.failure)

    #expect(failure.error is PebbleTimeout)
    #expect(failure.retryAfter == .zero)
    #expect(!failure.isStillRunning)
  }

  @Test func nobodyIsToldOfANextAttemptBeforeABodyThatIsLateIsOver() async throws {
    let (started, gate, isAnswered) = (Gate(), Gate(), Gate())
    let load = lateLoad(started, gate)

    let task = Task {
      defer { isAnswered.open() }
      return try await attempt(load)
    }
    await started.passed()
    await clock.asleep(1)
    clock.advance(by: .seconds(5))
    // The second sleep is that of the wait for the body.
    try await until { clock.sleeps.count == 2 || isAnswered.isOpen }

    #expect(!isAnswered.isOpen)
    gate.open()
    #expect(try await task.value.failure?.error is PebbleTimeout)
  }

  @Test func thereIsNoNextAttemptBesideABodyThatGoesOn() async throws {
    let (started, gate) = (Gate(), Gate())
    let load = lateLoad(started, gate)

    async let result = attempt(load)
    await started.passed()
    for _ in 0..<2 {
      await clock.asleep(1)
      clock.advance(by: .seconds(5))
    }
    let failure = try #require(try await result.failure)
    gate.open()

    #expect(failure.retryAfter == nil)
    #expect(failure.isStillRunning)
  }
}
