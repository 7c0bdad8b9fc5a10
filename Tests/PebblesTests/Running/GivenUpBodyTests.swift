import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests of shutdowns that stop waiting for bodies that are called with a plain `await`.
@Suite(.watched) struct GivenUpBodyTests {
  private let clock = AlarmClock()
  private let started = Gate()
  private let gate = Gate()

  /// Tests a body that ends in time, although the time limit of the shutdown passes before its
  /// pebble has settled: at that time, its cases are being evaluated.
  @Test func oneThatHasEndedAndHasNotSettledIsNotGivenUp() async throws {
    let pond = Pond("boot")
    let known = Promise<Run>()
    let stuck = pond.pebble("stuck") { [started, gate] in
      started.open()
      await gate.passed()
      return 7
    }
    let isOdd = stuck.succeeded("odd") { number in
      known.fulfilled?.core.take { $0.take { $0.timePassed(to: .max) } }
      return number % 2 == 1
    }
    pond.pebble("reads", when: isOdd) {}
    let run = try pond.start(clock: clock)
    known.fulfill(run)
    await started.passed()
    let shutdown = Task { try await run.shutdown(within: .seconds(1)) }
    try await until { run.core.isCancelled }
    gate.open()
    _ = try await shutdown.value

    let report = try await run.report
    #expect(report[stuck] == 7)
    #expect(report.record(of: stuck)?.isStillRunning == false)
  }

  /// Tests a body that ends after the shutdown has given it up, but before its pebble has settled.
  /// Its runner finds that another runner has taken its place, and must not end the run.
  @Test func oneThatEndsBeforeItHasSettledDoesNotEndTheRun() async throws {
    let executor = QueueExecutor()
    let pond = Pond("boot")
    pond.pebble("stuck") { [started, gate] in
      started.open()
      await gate.passed()
    }
    let run = try RunOptions.$currentExecutor.withValue(executor) {
      try pond.start(clock: clock, eventHistory: 100)
    }
    await started.passed()
    // Until its body is suspended.
    await Task(executorPreference: executor) {}.value
    run.core.shutDown(.requested, within: .seconds(1))

    executor.suspend()
    gate.open()
    run.core.take { $0.take { $0.timePassed(to: .max) } }
    executor.resume()
    _ = try await run.report

    var kinds: [RunEvent.Kind] = []
    for await event in run.events where [.settled, .runEnded].contains(event.kind) {
      kinds.append(event.kind)
    }
    #expect(kinds == [.settled, .runEnded])
  }

  @Test func oneThatRunsIsInAShutdownThatIsNotOver() async throws {
    let pond = Pond("boot")
    pond.pebble("over") {}
    pond.pebble("stuck") { [started, gate] in
      started.open()
      await gate.passed()
    }
    let run = try pond.start(clock: clock)
    await started.passed()
    try await until { run.status.settled == 1 }

    #expect(run.core.shutdownSoFar.records.map(\.pebble) == ["stuck"])
    // Its time counts from its own beginning.
    clock.advance(by: .seconds(3))
    run.core.shutDown(.requested, within: .seconds(1))
    #expect(run.core.shutdownSoFar.duration == .seconds(1))
    gate.open()
    _ = try await run.report
  }

  @Test func theFailurePolicyIsAskedAboutOne() async throws {
    let asked = Logbook<String>()
    let pond = Pond(
      "boot",
      onFailure: .custom { failure in
        asked.note("\(failure.pebble): \(type(of: failure.error))")
        return .goOn
      })
    pond.pebble("stuck") { [started, gate] in
      started.open()
      await gate.passed()
    }
    let run = try pond.start(clock: clock)
    await started.passed()
    let shutdown = Task { try await run.shutdown(within: .seconds(1)) }
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    _ = try await shutdown.value

    #expect(asked.entries == ["stuck: PebbleTimeout"])
    gate.open()
  }

  // MARK: Called by a run that resumes another

  /// Checks that an abandoned body is awaited before it is called again, even though its pebble has
  /// no options that make its call more than a plain `await`.
  @Test func oneIsWaitedForBeforeItIsCalledAgain() async throws {
    let calls = Logbook<String>()
    let first = try await abandonedRun(noting: calls)

    let second = try await first.resumed()
    for _ in 0..<100 { await Task.yield() }
    #expect(calls.entries == ["called"])
    gate.open()

    #expect(try await second.report.isAllSucceeded)
    #expect(calls.entries == ["called", "over", "called"])
  }

  /// Checks that a body that continues from the first run is awaited by the third run as well, even
  /// though the second run has not called it.
  @Test func oneOfTheRunBeforeTheLastIsWaitedForAsWell() async throws {
    let calls = Logbook<String>()
    let first = try await abandonedRun(noting: calls)
    let second = try await first.resumed()
    try await until { second.status.running.map(\.name) == ["stuck"] }
    second.cancel()
    #expect(try await second.report.isCancelled)

    let third = try await second.resumed()
    try await until { third.status.settled == 1 || !third.status.running.isEmpty }
    for _ in 0..<100 { await Task.yield() }
    #expect(calls.entries == ["called"])
    gate.open()

    #expect(try await third.report.isAllSucceeded)
    #expect(calls.entries == ["called", "over", "called"])
    // Runs know of earlier ones only as long as these exist.
    withExtendedLifetime(first) {}
  }

  /// Returns a run that was shut down although its only body continues until the gate opens.
  private func abandonedRun(noting calls: Logbook<String>) async throws -> Run {
    let pond = Pond("boot")
    pond.pebble("stuck") { [started, gate] in
      calls.note("called")
      guard calls.count == 1 else { return }
      started.open()
      await gate.passed()
      calls.note("over")
    }
    let run = try pond.start(clock: clock)
    await started.passed()
    let shutdown = Task { try await run.shutdown(within: .seconds(1)) }
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    _ = try await shutdown.value
    return run
  }
}
