import Pebbles
import PebblesDurable
import PebblesTestSupport
import Testing

@Suite(.watched) struct SchedulerTests {
  private let pond = Pond("boot")

  @Test func whatIsOverCannotBeCancelled() throws {
    pond.pebble("load") {}
    let scheduler = try Scheduler(pond)
    try scheduler.start(0, at: .seconds(1))
    try scheduler.settle(0, succeeded: true, at: .seconds(2))

    scheduler.cancel(at: .seconds(3))

    #expect(scheduler.cancellation == nil)
    let report = try #require(scheduler.report)
    #expect(report.cancellation == nil)
    #expect(report.makespan == .seconds(2))
  }

  @Test func itsTimeNeverGoesBack() throws {
    let load = pond.pebble("load") {}
    let ping = pond.pebble("ping") {}
    let scheduler = try Scheduler(pond)

    try scheduler.start(0, at: .seconds(5))
    try scheduler.start(1, at: .seconds(3))
    try scheduler.settle(1, succeeded: true, at: .seconds(4))
    try scheduler.settle(0, succeeded: true, at: .seconds(2))

    let report = try #require(scheduler.report)
    for pebble in [load, ping] {
      #expect(report.record(of: pebble)?.started == .seconds(5))
      #expect(report.record(of: pebble)?.finished == .seconds(5))
    }
    #expect(report.makespan == .seconds(5))
  }

  @Test func itSaysWhatIsReadyAndWhatCameOfIt() throws {
    let load = pond.pebble("load") {}
    let ping = pond.pebble("ping") {}
    let show = pond.pebble("show", when: load.succeeded && ping.completed) {}
    let offline = pond.pebble("offline", when: ping.failed) {}
    pond.pebble("greet", when: ping.succeeded) {}
    let scheduler = try Scheduler(pond)

    #expect(scheduler.ready == [0, 1])
    try scheduler.start(1, at: .seconds(1))
    try scheduler.start(0, at: .seconds(2))
    #expect(scheduler.ready.isEmpty)
    #expect(scheduler.running == [0, 1])
    try scheduler.settle(1, failedWith: Breakdown("no route"), at: .seconds(3))
    #expect(scheduler.ready == [3])
    #expect(scheduler.outcome(of: 4)?.isSkipped == true)
    #expect(scheduler.report == nil)
    try scheduler.start(3, at: .seconds(3))
    try scheduler.settle(3, succeeded: true, at: .seconds(4))
    try scheduler.settle(0, succeeded: true, at: .seconds(5))
    try scheduler.start(2, at: .seconds(5))
    try scheduler.settle(2, succeeded: true, at: .seconds(6))

    let report = try #require(scheduler.report)
    #expect(scheduler.isFinished)
    #expect(report.makespan == .seconds(6))
    #expect(report.succeeded(show) && report.succeeded(offline))
    #expect(report.outcome(of: ping).error as? Breakdown == Breakdown("no route"))
    #expect(report.record(of: show)?.started == .seconds(5))
    #expect(report.record(of: show)?.enabledBy == "load")
    #expect(
      report.record(named: "greet")?.explanation
        == "greet was blocked: it needs ping to succeed, but ping failed")
  }

  @Test func itTellsOfItsPondAndOfTheCasesOfItsPebbles() throws {
    let flip = pond.pebble("flip") { 7 }
    _ = flip.is(7)
    _ = flip.succeeded("odd") { $0 % 2 == 1 }
    _ = flip.failed("lost") { _ in true }
    pond.pebble("other") {}
    let scheduler = try Scheduler(pond)

    #expect(scheduler.pondName == "boot")
    #expect(scheduler.cases(of: 0) == [.is("7"), .succeeded("odd"), .failed("lost")])
    #expect([-1, 1, 2].map(scheduler.cases(of:)) == [[], [], []])
  }

  @Test func whatLimitsHoldBackIsNotReady() throws {
    let limited = Pond("boot", maxConcurrent: 2)
    limited.pebble("a", .exclusive("disk")) {}
    limited.pebble("b", .exclusive("disk")) {}
    limited.pebble("c") {}
    limited.pebble("d", .priority(1)) {}
    let scheduler = try Scheduler(limited)

    #expect(scheduler.ready == [3, 0])
    try scheduler.start(3, at: .zero)
    try scheduler.settle(3, succeeded: true, at: .seconds(1))
    #expect(scheduler.ready == [0, 2])
    try scheduler.start(0, at: .seconds(1))
    try scheduler.settle(0, succeeded: true, at: .seconds(2))
    #expect(scheduler.ready == [2, 1])
  }

  @Test func whatWaitsForEachOtherIsSkippedWhenNothingRuns() throws {
    let a = pond.pebble("a") {}
    let b = pond.pebble("b", when: a.completed) {}
    a.ready = b.completed
    pond.pebble("c") {}
    let scheduler = try Scheduler(pond)

    #expect(scheduler.ready == [2])
    try scheduler.start(2, at: .zero)
    try scheduler.settle(2, succeeded: true, at: .seconds(1))

    #expect(scheduler.isFinished)
    #expect(scheduler.outcome(of: 0)?.skipReason?.isStalled == true)
  }

  @Test func itSaysWhichOutcomesABodyIsCalledWith() throws {
    let a = pond.pebble("a") { 1 }
    let b = pond.pebble("b") { 2 }
    let c = pond.pebble("c") {}
    pond.pebble("d", needs: b.optional, a.result, b, when: c.succeeded) { _, _, _ in }
    let scheduler = try Scheduler(pond, for: RunIdentifier("nightly-17"))

    #expect((-1...4).map(scheduler.inputs(of:)) == [[], [], [], [], [0, 1], []])
    #expect(scheduler.runIdentifier == RunIdentifier("nightly-17"))
  }

  @Test func aFailureThatNoPebbleHandlesCancels() throws {
    let strict = Pond("boot", onFailure: .cancelAll)
    let a = strict.pebble("a") {}
    strict.pebble("b") {}
    strict.pebble("c", when: a.succeeded) {}
    let scheduler = try Scheduler(strict)
    try scheduler.start(0, at: .zero)
    try scheduler.settle(0, succeeded: false, at: .seconds(1))

    #expect(scheduler.cancellation == .failure(of: "a"))
    #expect(scheduler.ready.isEmpty)
    #expect(scheduler.isFinished)
    #expect(scheduler.outcome(of: 1)?.skipReason == .cancelled)
    let report = try #require(scheduler.report)
    #expect(report.exitCode == 1)
    #expect(!report.records[0].wasCancelled)
    #expect(report.unhandledFailures.map(\.name) == ["a"])
  }

  /// Checks that of two failures that become unhandled at the same time, the first one cancels the
  /// run. The second failure skips the pebble that would have handled the first.
  @Test func ofFailuresThatNoPebbleHandlesAnyMoreTheFirstCancels() throws {
    let strict = Pond("boot", onFailure: .cancelAll)
    let a = strict.pebble("a") {}
    let b = strict.pebble("b") {}
    strict.pebble("handler", when: a.failed && b.succeeded) {}
    let scheduler = try Scheduler(strict)
    for pebble in 0...1 { try scheduler.start(pebble, at: .zero) }

    try scheduler.settle(0, succeeded: false, at: .seconds(1))
    #expect(scheduler.cancellation == nil)
    try scheduler.settle(1, succeeded: false, at: .seconds(2))

    #expect(scheduler.cancellation == .failure(of: "a"))
    #expect(scheduler.report?.unhandledFailures.map(\.name) == ["a", "b"])
  }

  @Test func whatRunsGoesOnAfterACancellation() throws {
    pond.pebble("a") {}
    pond.pebble("b") {}
    let scheduler = try Scheduler(pond)
    try scheduler.start(0, at: .zero)
    scheduler.cancel(at: .seconds(1))
    scheduler.cancel(.deadlinePassed, at: .seconds(2))

    #expect(!scheduler.isFinished)
    #expect(scheduler.running == [0])
    try scheduler.settle(0, failedWith: CancellationError(), at: .seconds(3))
    #expect(scheduler.isFinished)
    let report = try #require(scheduler.report)
    #expect(report.cancellation == .requested)
    #expect(report.records[0].wasCancelled)
    #expect(report.exitCode == 0)
  }

  @Test func whatCannotHaveHappenedIsRefusedAndChangesNothing() throws {
    let a = pond.pebble("a") {}
    pond.pebble("b", when: a.succeeded) {}
    let scheduler = try Scheduler(pond)
    func error(_ call: () throws(SchedulerError) -> Void) -> String? {
      do throws(SchedulerError) { try call() } catch { return error.description }
      return nil
    }
    let late = Duration.seconds(99)

    #expect(
      error { () throws(SchedulerError) in try scheduler.start(1, at: late) }
        == "b was started, but is not ready")
    #expect(
      error { () throws(SchedulerError) in try scheduler.settle(0, succeeded: true, at: late) }
        == "a was settled, but has not started")
    #expect(
      error { () throws(SchedulerError) in
        try scheduler.settle(0, failedWith: Breakdown(), at: late)
      } == "a was settled, but has not started")
    #expect(
      error { () throws(SchedulerError) in try scheduler.start(-1, at: late) }
        == "the pebble at position -1 was started, but the pond has 2")
    try scheduler.start(0, at: .zero)
    #expect(
      error { () throws(SchedulerError) in try scheduler.start(0, at: late) }
        == "a was started, but is running")
    try scheduler.settle(0, succeeded: true, at: .seconds(-5))
    #expect(
      error { () throws(SchedulerError) in try scheduler.settle(0, succeeded: true, at: late) }
        == "a was settled, but has settled")
    #expect(scheduler.ready == [1])
    #expect(scheduler.outcome(of: 9) == nil)
    try scheduler.start(1, at: .seconds(2))
    try scheduler.settle(1, succeeded: true, at: .seconds(3))
    let report = try #require(scheduler.report)
    #expect(report.records.map(\.started) == [.zero, .seconds(2)])
    #expect(report.makespan == .seconds(3))
  }

  @Test func pondsThatLookAtErrorsAreRefused() throws {
    let custom = Pond("boot", onFailure: .custom { _ in .goOn })
    #expect(throws: SchedulerError.self) { _ = try Scheduler(custom).isFinished }
    let wrong = Pond("boot")
    wrong.pebble("a") {}
    wrong.pebble("a") {}
    #expect(throws: PondError.self) { _ = try Scheduler(wrong).isFinished }
    let other = Pond("boot")
    #expect(throws: UnknownPebbleError.self) {
      _ = try Scheduler(other, disabling: [.named("x")]).isFinished
    }
  }

  @Test func itDrivesOnlyWhatItIsAskedFor() throws {
    let database = pond.pebble("database") {}
    let web = pond.pebble("web", when: database.succeeded) {}
    pond.pebble("metrics", when: database.succeeded) {}
    pond.goal = web.succeeded

    let scheduler = try Scheduler(pond, disabling: [.named("metrics")], only: [web])

    #expect(scheduler.ready == [0])
    try scheduler.start(0, at: .zero)
    try scheduler.settle(0, succeeded: true, at: .zero)
    try scheduler.start(1, at: .zero)
    try scheduler.settle(1, succeeded: true, at: .zero)
    #expect(scheduler.isFinished)
  }

  /// Checks that a scheduler has the same outcomes as a real run, in whatever order bodies end.
  @Test(arguments: 0..<8) func itAgreesWithARealRun(shard: UInt64) async throws {
    var generator = SeededGenerator(seed: 1_000 + shard)
    for _ in 0..<Thoroughness.times(25) {
      let reference = ReferencePond.random(
        mostPebbles: 8, withCases: shard >= 4, using: &generator)
      let limit = Bool.random(using: &generator) ? nil : Int.random(in: 1...3, using: &generator)
      let pond = Pond("random", maxConcurrent: limit)
      reference.define(in: pond)

      let report = try simulated(pond, reference, using: &generator)
      let expected = try await pond.run()

      #expect(endings(report) == endings(expected), "\(reference)")
    }
  }

  /// Returns descriptions of the outcomes, without the parts that depend on the order in which
  /// pebbles ended.
  private func endings(_ report: Report) -> [String] {
    report.records.map { record in
      guard let reason = record.outcome.skipReason else { return record.outcome.event.past }
      return if case .conditionFalse = reason { "false" } else { "\(reason)" }
    }
  }

  /// Starts and settles pebbles in a random order that the scheduler allows, and returns the
  /// report.
  private func simulated(
    _ pond: Pond, _ reference: ReferencePond, using generator: inout SeededGenerator
  ) throws -> Report {
    let scheduler = try Scheduler(pond)
    var time = 0
    while !scheduler.isFinished {
      time += 1
      let canStart = !scheduler.ready.isEmpty
      if canStart, scheduler.running.isEmpty || Bool.random(using: &generator) {
        try scheduler.start(scheduler.ready[0], at: .nanoseconds(time))
      } else {
        let running = scheduler.running.sorted()
        let pebble = try #require(running.randomElement(using: &generator))
        try scheduler.settle(
          pebble, succeeded: reference.succeeds[pebble], cases: reference.cases(of: pebble),
          at: .nanoseconds(time))
      }
    }
    return try #require(scheduler.report)
  }
}
