import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests that the output of a callback that succeeds after its pebble has failed is undone like any
/// other late output.
@Suite(.watched) struct LateCallbackTests {
  private let clock = AlarmClock()
  private let kept = Logbook<Completion>()
  private let started = Gate()
  private let gate = Gate()
  private let pond = Pond("late")

  /// Adds a pebble whose body leaves its completion with the server.
  private func connect(
    _ trait: PebbleTrait = .traits([]),
    teardown: @escaping @Sendable () async throws -> Void
  ) -> Pebble<Void> {
    pond.pebble("connect", .timeout(.seconds(5)), trait, teardown: teardown) {
      [kept] complete in kept.note(complete)
    }
  }

  /// Starts a run, and returns it once the callback has exceeded its time limit.
  private func runWithoutCallback() async throws -> Run {
    let run = try pond.start(clock: clock)
    await clock.asleep(1)
    try await until { kept.count == 1 }
    clock.advance(by: .seconds(5))
    _ = try await run.report
    return run
  }

  @Test func whatItsTeardownFailsWithIsInTheReport() async throws {
    let connect = connect { throw Breakdown("no reply") }
    let run = try await runWithoutCallback()
    let report = try await run.report

    kept.entries[0].succeed()
    try await run.shutdown()

    let errors = try #require(report.record(of: connect)).lateTeardownErrors
    #expect(errors.map { "\($0)" } == ["no reply"])
  }

  @Test func aShutdownWaitsForItsTeardownAndEventsTellOfIt() async throws {
    pond.service("server") { ready in
      ready()
      await ready.stopRequested()
    }
    _ = connect { [started, gate] in
      started.open()
      await gate.passed()
    }
    let run = try await runWithoutCallback()
    let events = run.events
    let told = Task { [gate] in
      var told: [String] = []
      for await event in events {
        switch event.kind {
        case .teardownStarted, .teardownEnded, .shutdownBegan, .shutdownEnded:
          told.append("\(event.kind)")
        // All that the shutdown does by itself is done.
        case .serviceEnded: gate.open()
        default: break
        }
      }
      return told
    }

    kept.entries[0].succeed()
    await started.passed()
    try await run.shutdown().check()

    #expect(
      await told.value == ["teardownStarted", "shutdownBegan", "teardownEnded", "shutdownEnded"])
  }

  @Test func aShutdownWaitsNoLongerThanItMay() async throws {
    let connect = connect { [started, gate] in
      started.open()
      await gate.passed()
    }
    let run = try await runWithoutCallback()
    kept.entries[0].succeed()
    await started.passed()

    async let shutdown = run.shutdown(within: .seconds(7))
    try await until { clock.sleeps.entries.contains(.seconds(7)) }
    clock.advance(by: .seconds(7))
    try await shutdown.check()

    let errors = try #require(try await run.report.record(of: connect)).lateTeardownErrors
    #expect(errors.count == 1 && errors[0] is PebbleTimeout)
    gate.open()
  }

  @Test func itsTeardownRunsWhereItsBodyDoes() async throws {
    let executor = QueueExecutor()
    let places = Logbook<Bool>()
    _ = connect(.executor(executor)) { places.note(executor.isCurrent) }
    let run = try await runWithoutCallback()

    kept.entries[0].succeed()
    try await run.shutdown()

    #expect(places.entries == [true])
  }

  @Test func aRunIsLetGoOfOnceItsCallbackCannotComeAnyMore() async throws {
    weak var core: RunCore?
    let server = Server()
    do {
      let pond = Pond("late")
      pond.pebble("connect", .timeout(.seconds(5)), teardown: {}) { complete in
        server.completion.withLock { $0 = complete }
      }
      let run = try pond.start(clock: clock)
      core = run.core
      await clock.asleep(1)
      try await until { server.completion.withLock { $0 != nil } }
      clock.advance(by: .seconds(5))
      #expect(try await run.report.failures.count == 1)
    }

    server.completion.withLock { $0 = nil }
    try await until { core == nil }
  }
}

/// A server that keeps a completion, so that a test can call it at any time.
private final class Server: Sendable {
  let completion = Mutex<Completion?>(nil)
}
