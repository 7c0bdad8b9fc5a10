import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests of the threads and executors on which bodies run. They are serialized, because blocking
/// bodies share a few threads.
@Suite(.serialized, .watched) struct PlacementTests {
  private let pond = Pond("placed")
  private let clock = AlarmClock()

  // MARK: - On the main actor

  @Test(arguments: Wrapping.all)
  func aMainActorBodyRunsThereInEveryForm(wrapping: Wrapping) async throws {
    let pond = Pond("placed", around: { _, body in try await body() })
    let screen = Screen()
    let title = pond.pebble("title") { "Launches" }
    pond.pebble(
      "plain", wrapping.ofPebbles
    ) { @MainActor in screen.show("plain") }
    pond.pebble(
      "inputs", wrapping.ofPebbles, needs: title
    ) { @MainActor title in screen.show("inputs") }
    pond.pebble(
      "callback", wrapping.ofPebbles
    ) { @MainActor complete in
      screen.show("callback")
      complete(true)
    }
    pond.service(
      "service", wrapping.ofServices, .ending(.ignore)
    ) { @MainActor ready in
      screen.show("service")
      ready()
    }

    let report = try await pond.run(clock: clock)

    #expect(report.isAllSucceeded)
    try await until { screen.shown.count == 4 }
    #expect(Set(screen.shown.entries) == ["plain", "inputs", "callback", "service"])
  }

  @Test @MainActor func aTeardownMayRunOnTheMainActorToo() async throws {
    let screen = Screen()
    pond.pebble("show", teardown: { @MainActor in screen.show("gone") }) {}

    let run = try pond.start(clock: clock)
    // A shutdown during the boot would cancel it.
    _ = try await run.report
    try await run.shutdown()

    #expect(screen.shown.entries == ["gone"])
  }

  // MARK: - On an executor

  @Test func aShutdownTearsAPebbleDownOnTheExecutorOfThePebble() async throws {
    let executor = QueueExecutor()
    let places = Logbook<Bool>()
    let pond = Pond("boot")
    pond.pebble(
      "cache", .executor(executor), teardown: { (_: Int) in places.note(executor.isCurrent) }
    ) {
      1
    }
    let run = try pond.start(clock: clock)
    _ = try await run.report

    try await run.shutdown().check()

    #expect(places.entries == [true])
  }

  @Test func whatComesTooLateIsUndoneOnTheExecutorOfItsPebble() async throws {
    let (executor, clock) = (QueueExecutor(), AlarmClock())
    let (places, started, ends) = (Logbook<Bool>(), Gate(), Gate())
    let pond = Pond("boot")
    pond.pebble(
      "late", .timeout(.seconds(1)), .executor(executor),
      teardown: { (_: Int) in places.note(executor.isCurrent) }
    ) {
      started.open()
      await ends.passed()
      return 1
    }
    let run = try pond.start(clock: clock)
    await started.passed()
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    _ = try await run.report

    ends.open()
    try await until { places.count == 1 }

    #expect(places.entries == [true])
  }

  @Test func everyFormOfBodyRunsOnItsExecutor() async throws {
    let executor = QueueExecutor()
    let places = Logbook<Bool>()
    let note: @Sendable () async -> Void = {
      places.note(executor.isCurrent)
      await Task.yield()
      places.note(executor.isCurrent)
    }
    let seed = pond.pebble("seed") { 1 }
    pond.pebble("plain", .executor(executor)) {
      places.note(executor.isCurrent)
      await note()
    }
    pond.pebble("value", .executor(executor)) {
      places.note(executor.isCurrent)
      return 1
    }
    pond.pebble("inputs", .executor(executor), needs: seed) { _ in await note() }
    pond.pebble("timed", .timeout(.seconds(1)), .retry(.attempts(3)), .executor(executor)) {
      await note()
    }
    pond.pebble("callback", .executor(executor)) { complete in
      await note()
      complete(true)
    }
    pond.service("service", .executor(executor), .ending(.ignore)) { ready in
      await note()
      ready()
    }

    let report = try await pond.run(clock: clock)

    #expect(report.isAllSucceeded)
    #expect(places.entries == Array(repeating: true, count: 12))
  }

  @Test func everyAttemptRunsOnTheExecutor() async throws {
    let executor = QueueExecutor()
    let attempts = Attempts(failing: 2)
    let places = Logbook<Bool>()
    pond.pebble("cores", .retry(.attempts(3)), .executor(executor)) {
      places.note(executor.isCurrent)
      _ = try attempts.next()
    }

    _ = try await pond.run(clock: clock)

    #expect(places.entries == [true, true, true])
  }

  @Test func anExecutorIsForItsPebbleOnly() async throws {
    let executor = QueueExecutor()
    let places = Logbook<Bool>()
    var previous = pond.pebble("first") {}
    for number in 0..<20 {
      let there = pond.pebble("there \(number)", .executor(executor), when: previous.succeeded) {}
      previous = pond.pebble("here \(number)", when: there.succeeded) {
        places.note(executor.isCurrent)
      }
    }

    let report = try await pond.run(clock: clock)

    #expect(report.isAllSucceeded)
    #expect(places.entries == Array(repeating: false, count: 20))
  }

  @Test func aBodyThatHadNoTurnInTimeIsNotCalled() async throws {
    let executor = QueueExecutor()
    let late = pond.pebble("late", .timeout(.seconds(5)), .executor(executor)) {
      Issue.record("called after its timeout")
    }

    executor.suspend()
    let run = try pond.start(clock: clock)
    await clock.asleep(1)
    clock.advance(by: .seconds(5))
    let report = try await run.report
    executor.resume()

    let record = try #require(report.record(of: late))
    #expect(record.outcome.error is PebbleTimeout)
    try await until { !record.isStillRunning }
  }

  @Test func aBodyThatHadNoTurnBeforeTheCancellationIsNotCalled() async throws {
    let executor = QueueExecutor()
    let late = pond.pebble("late", .executor(executor)) {
      Issue.record("called in a cancelled run")
    }

    executor.suspend()
    let run = try pond.start(clock: clock)
    try await until { run.status.running.count == 1 }
    run.cancel()
    executor.resume()
    let report = try await run.report

    #expect(report.outcome(of: late).error is CancellationError)
  }

  // MARK: - On threads that may block

  @Test(arguments: [PebbleTrait.traits(), .timeout(.seconds(5))])
  func twoBodiesThatBlockDoNotDelayAnotherPebble(timeout: PebbleTrait) async throws {
    let road = Roadblock(for: 2)
    let (first, second) = (Gate(), Gate())
    for gate in [first, second] {
      pond.pebble("blocks \(gate === first ? 1 : 2)", timeout, .blocking) {
        gate.open()
        road.hold()
      }
    }
    // On two cores, two bodies that blocked the pool would keep this from ever running.
    pond.pebble("unrelated") {
      await first.passed()
      await second.passed()
      for _ in 0..<100 { await Task.yield() }
      road.open()
    }

    let report = try await pond.run(clock: clock)

    #expect(report.isAllSucceeded)
  }

  @Test func everyFormOfBodyMayBlock() async throws {
    let pool = Logbook<Bool>()
    let seed = pond.pebble("seed") { 1 }
    let plain = pond.pebble("plain", .blocking) { pool.note(Threads.isBlocking) }
    let value = pond.pebble("value", .blocking, when: plain.succeeded) {
      pool.note(Threads.isBlocking)
      await Task.yield()
      return Threads.isBlocking
    }
    let inputs = pond.pebble("inputs", .retry(.attempts(2)), .blocking, needs: seed, value) {
      _, isThere in
      pool.note(Threads.isBlocking)
      return isThere
    }
    pond.pebble("callback", .blocking, when: inputs.succeeded) { complete in
      pool.note(Threads.isBlocking)
      complete(true)
    }

    let report = try await pond.run(clock: clock)

    #expect(report.isAllSucceeded)
    #expect(report[inputs] == true)
    #expect(pool.entries == [true, true, true, true])
  }

  @Test func whatComesAfterABodyThatBlocksIsBackOnThePool() async throws {
    let threads = Mutex<Set<ThreadIdentity>>([])
    let places = Logbook<Bool>()
    var previous = pond.pebble("first") {}
    for number in 0..<20 {
      let there = pond.pebble("there \(number)", .blocking, when: previous.succeeded) {
        _ = threads.withLock { $0.insert(.current) }
      }
      previous = pond.pebble("here \(number)", when: there.succeeded) {
        places.note(Threads.isBlocking || threads.withLock { $0.contains(.current) })
      }
    }

    let report = try await pond.run(clock: clock)

    #expect(report.isAllSucceeded)
    #expect(places.entries == Array(repeating: false, count: 20))
  }

  @Test func aBodyThatBlocksForTooLongIsLeftBehind() async throws {
    let road = Roadblock(for: 1)
    let started = Gate()
    let stuck = pond.pebble("stuck", .timeout(.seconds(5)), .blocking) {
      started.open()
      road.hold()
    }
    let after = pond.pebble("after", when: stuck.failed) { 1 }

    let run = try pond.start(clock: clock)
    await started.passed()
    await clock.asleep(1)
    clock.advance(by: .seconds(5))
    let report = try await run.report

    let record = try #require(report.record(of: stuck))
    #expect(record.outcome.error is PebbleTimeout)
    #expect(record.isStillRunning)
    #expect(report[after] == 1)
    road.open()
    try await until { !record.isStillRunning }
  }

  /// A set of options that change how a body is called.
  struct Wrapping: Sendable {
    var attempts: [PebbleTrait] = []
    var isBlocking = false

    var ofServices: PebbleTrait { .traits(attempts) }
    var ofPebbles: PebbleTrait { .traits(attempts + (isBlocking ? [.blocking] : [])) }

    static let all = [
      Wrapping(), Wrapping(attempts: [.timeout(.seconds(5))]),
      Wrapping(attempts: [.retry(.attempts(2))]), Wrapping(attempts: [.executor(QueueExecutor())]),
      Wrapping(isBlocking: true),
      Wrapping(attempts: [.timeout(.seconds(5)), .retry(.attempts(2))], isBlocking: true),
    ]
  }
}

@MainActor private final class Screen {
  let shown = Logbook<String>()

  func show(_ text: String) {
    MainActor.assertIsolated()
    shown.note(text)
  }
}

private enum Threads {
  /// Whether the current task is set to run on the threads for blocking bodies.
  static var isBlocking: Bool {
    withUnsafeCurrentTask { task in
      task?.unownedTaskExecutor == BlockingThreads.shared.asUnownedTaskExecutor()
    }
  }
}
