import PebblesTestSupport
import Testing

@testable import Pebbles

/// Tests that a pebble releases everything it holds for the next pebble, regardless of how it ends.
@Suite(.watched) struct LimitReleaseTests {
  /// A way in which a pebble that holds something can end.
  enum Ending: CaseIterable {
    case success, failure, callback, abandonedCallback, callbackError, cancellationError, retries
    case blocking, onMainActor, cancelsItsOwnTask, failedService
  }

  @Test(arguments: Ending.allCases, [false, true])
  func theNextOneRuns(ending: Ending, needsUnits: Bool) async throws {
    let pond = Pond("releasing", maxConcurrent: needsUnits ? nil : 1)
    for number in 0..<4 { add(ending, to: pond, "\(number)") }
    let everybody = Meeting(of: needsUnits ? 4 : 1)
    for number in 0..<4 {
      // All four at once, so every unit must have come back, and with it a runner for each.
      pond.pebble("next \(number)", .uses("c", of: 4), .priority(-1)) {
        await everybody.attend()
      }
    }

    for _ in 0..<10 {
      let report = try await pond.run()
      #expect(report.records.suffix(4).allSatisfy { $0.outcome.isSucceeded })
    }
  }

  private func add(_ ending: Ending, to pond: Pond, _ name: String) {
    let all = PebbleTrait.uses("c", 4)
    switch ending {
    case .success: pond.pebble(name, all) { await Task.yield() }
    case .failure:
      pond.pebble(name, all) {
        await Task.yield()
        throw Breakdown()
      }
    case .callback: pond.pebble(name, all) { complete in complete(true) }
    case .abandonedCallback: pond.pebble(name, all) { (_: Completion) in }
    case .callbackError: pond.pebble(name, all) { (_: Completion) in throw Breakdown() }
    case .cancellationError: pond.pebble(name, all) { throw CancellationError() }
    case .retries: pond.pebble(name, .retry(.attempts(4)), all) { throw Breakdown() }
    case .blocking: pond.pebble(name, all, .blocking) {}
    case .onMainActor: pond.pebble(name, all) { @MainActor in }
    case .cancelsItsOwnTask:
      pond.pebble(name, all) { withUnsafeCurrentTask { $0?.cancel() } }
    case .failedService: pond.service(name, all) { _ in }
    }
  }

  @Test func aBodyThatGoesOnKeepsWhatItUses() async throws {
    let clock = AlarmClock()
    let pond = Pond("releasing", maxConcurrent: 1)
    let (started, end) = (Gate(), Gate())
    let slow = pond.pebble("slow", .timeout(.seconds(1)), .exclusive("key")) {
      started.open()
      await end.passed()
    }
    let next = pond.pebble("next", .exclusive("key")) {}
    let follower = pond.pebble("follower", when: next.skipped) {}

    let run = try pond.start(clock: clock)
    await started.passed()
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    // As long again it has to obey.
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    let report = try await run.report

    #expect(report.outcome(of: slow).error is PebbleTimeout)
    #expect(report.record(of: slow)?.isStillRunning == true)
    #expect(report.outcome(of: next).skipReason == .resourceHeld(by: "slow"))
    #expect(report.record(of: next)?.finished == .seconds(2))
    #expect(report.outcome(of: follower).isSucceeded)
    end.open()
  }

  @Test func aRunAtRestWaitsForTheHolderThatHasTheMostTimeLeft() async throws {
    let clock = AlarmClock()
    let pond = Pond("releasing")
    let (never, end) = (Gate(), Gate())
    defer { never.open() }
    pond.pebble("short", .timeout(.seconds(1)), .exclusive("a")) { await never.passed() }
    let long = pond.pebble("long", .timeout(.seconds(3)), .exclusive("b")) { await end.passed() }
    let next = pond.pebble("next", .exclusive("b"), when: long.failed) {}
    let run = try pond.start(clock: clock)
    await clock.asleep(2)
    clock.advance(by: .seconds(1))
    try await until { run.status.running.count == 1 }

    clock.advance(by: .seconds(2))
    try await until { run.status.running.isEmpty && run.core.crew.workingCount == 0 }
    end.open()

    #expect(try await run.report.outcome(of: next).isSucceeded)
  }

  /// Checks that the late end of a body admits the next pebble by itself. No other pebble ends
  /// meanwhile, so nothing else causes the queue to be examined.
  @Test func theNextOneStartsOnceABodyThatWentOnHasEnded() async throws {
    let clock = AlarmClock()
    let pond = Pond("releasing")
    let (end, started, other) = (Gate(), Gate(), Gate())
    let slow = pond.pebble("slow", .timeout(.seconds(1)), .exclusive("key")) { await end.passed() }
    pond.pebble("next", .exclusive("key"), when: slow.failed) { started.open() }
    pond.pebble("other") { await other.passed() }

    let run = try pond.start(clock: clock)
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    try await until { run.core.queue.ordered?.waitingCount == 1 && run.core.crew.workingCount == 1 }
    end.open()
    try await until { started.isOpen }
    other.open()

    #expect(try await run.report.outcome(of: slow).isFailed)
  }

  @Test func aBodyThatGoesOnAndUsesNothingIsNotWaitedFor() async throws {
    let clock = AlarmClock()
    let pond = Pond("releasing")
    let (started, end) = (Gate(), Gate())
    let slow = pond.pebble("slow", .timeout(.seconds(1)), .exclusive("key")) {
      started.open()
      await end.passed()
    }
    // Late as well, and it would have nine seconds more to obey.
    let other = pond.pebble("other", .timeout(.seconds(9))) { await end.passed() }
    let next = pond.pebble("next", .exclusive("key")) {}

    let run = try pond.start(clock: clock)
    await started.passed()
    await clock.asleep(2)
    clock.advance(by: .seconds(1))
    try await until { run.core.storage.state.status(of: 0) == .failed }
    clock.advance(by: .seconds(8))
    try await until { run.core.storage.state.status(of: 1) == .failed }
    // The second that "slow" had is over.
    try await until { run.core.life.isOver }
    let report = try await run.report

    #expect(report.failed(slow) && report.failed(other))
    #expect(report.outcome(of: next).skipReason == .resourceHeld(by: "slow"))
    end.open()
  }

  /// Checks the explanation of a pebble that waits for a resource whose holder's body has ended,
  /// while a run inside the holder is still being shut down.
  @Test func aPebbleThatIsBeingClosedIsNotSaidToHaveBeenGivenUp() async throws {
    let clock = AlarmClock()
    let (pond, inner, end) = (Pond("releasing"), Pond("inner"), Gate())
    inner.service("stubborn") { ready in
      ready()
      await end.passed()
    }
    let failed = pond.pebble("failed", .timeout(.seconds(1)), .exclusive("key")) {
      _ = try await inner.start(clock: clock).report
      throw Breakdown()
    }
    let next = pond.pebble("next", .exclusive("key")) {}

    let run = try pond.start(clock: clock)
    try await until { run.core.storage.state.status(of: 0) == .failed }
    await clock.asleep(1)
    clock.advance(by: .seconds(1))
    let report = try await run.report

    #expect(report.failed(failed))
    #expect(
      report.record(of: next)?.explanation
        == "next was blocked: it waited for failed, which did not release its resources in time "
        + "or stays down")
    end.open()
    try await run.shutdown().check()
  }

  @Test func cancellationSkipsThoseThatWaitForAUnit() async throws {
    let pond = Pond("releasing", maxConcurrent: 1)
    let started = Gate()
    pond.pebble("holder", .exclusive("key")) {
      started.open()
      try await untilCancelled()
    }
    for number in 0..<10 { pond.pebble("\(number)", .exclusive("key")) {} }

    let run = try pond.start()
    await started.passed()
    run.cancel()
    let report = try await run.report
    let runAgain = try pond.start()
    runAgain.cancel()

    #expect(report.records.dropFirst().allSatisfy { $0.outcome.skipReason == .cancelled })
    #expect(try await runAgain.report.records.count == 11)
  }

  @Test func unitsFreedAtOnceAreTakenByAsManyRunners() async throws {
    let pond = Pond("wave")
    let all = PebbleTrait.uses("c", 6, of: 6)
    var meetings: [Meeting] = []
    for wave in 0..<5 {
      let everybody = Meeting(of: 6)
      meetings.append(everybody)
      pond.pebble("barrier \(wave)", all) { await Task.yield() }
      for guest in 0..<6 {
        pond.pebble("\(wave).\(guest)", .uses("c")) { await everybody.attend() }
      }
    }

    // A guest that nobody takes would leave the others waiting for ever.
    let report = try await pond.run()

    #expect(report.isAllSucceeded)
  }

  @Test(arguments: [1, 2, 5])
  func noRunIsLeftWaitingHoweverManyThereAre(maxConcurrent: Int) async throws {
    let pond = Pond("stress", maxConcurrent: maxConcurrent)
    let occupancy = Occupancy()
    var known: [Pebble<Void>] = []
    for number in 0..<24 {
      let condition = number < 6 ? .always : known[number / 2 - 3].settled
      let units = number % 3 + 1
      known.append(
        pond.pebble(
          "\(number)", number % 4 == 0 ? .exclusive("key") : .traits(), .uses("c", units, of: 3),
          .priority(number % 5), when: condition
        ) {
          occupancy.enter(units: units)
          if number % 2 == 0 { await Task.yield() }
          occupancy.leave(units: units)
          if number % 7 == 0 { throw Breakdown() }
          if number % 11 == 0 { withUnsafeCurrentTask { $0?.cancel() } }
        })
    }

    for _ in 0..<400 {
      let report = try await pond.run()
      #expect(report.records.count { $0.outcome.isFailed } == 4)
      #expect(!report.records.contains { $0.outcome.isSkipped })
    }

    #expect(occupancy.maximum <= 3)
  }
}
