import PebblesDurable
import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests that two users of the engine have the same results: the runtime, which calls it directly,
/// and the driver, to which a `Scheduler` reports the same events.
@Suite(.watched) struct ReadinessDriverTests {
  @Test(arguments: 0..<8) func aRealRunEndsAsItsHistoryDoes(shard: UInt64) async throws {
    var generator = SeededGenerator(seed: 2_600 + shard)
    for _ in 0..<Thoroughness.times(25) {
      let reference = ReferencePond.random(
        mostPebbles: 12, withCases: shard >= 4, using: &generator)
      // With a limit, which is never reached, all ready pebbles pass the ordered queue.
      let pond = Pond(
        "random", maxConcurrent: Bool.random(using: &generator) ? 100 : nil,
        onFailure: Bool.random(using: &generator) ? .cancelAll : .ignore)
      reference.define(in: pond)

      // On one thread, with a clock whose readings tell what came first.
      let run = try await RunOptions.$currentExecutor.withValue(QueueExecutor()) {
        try await pond.run(clock: Ticking())
      }
      let report = try retold(run, of: pond)

      #expect(report.cancellation == run.cancellation, "\(reference)")
      for (record, expected) in zip(report.records, run.records) {
        guard Told(record) == Told(expected) else {
          Issue.record("\(Told(record)) instead of \(Told(expected)):\n\(reference)")
          return
        }
      }
    }
  }

  /// Tests two failures that become unhandled at the same time, when a body ends and the only
  /// pebble that could have handled them is skipped.
  @Test func ofFailuresThatAreUnhandledAtOnceTheFirstCancels() throws {
    let pond = Pond("two", onFailure: .cancelAll)
    let first = pond.pebble("first") {}
    let second = pond.pebble("second") {}
    pond.pebble("handles both", when: first.failed && second.succeeded) {}
    let scheduler = try Scheduler(pond)

    for pebble in 0...1 { try scheduler.start(pebble, at: .zero) }
    try scheduler.settle(0, failedWith: Breakdown(), at: .nanoseconds(1))
    #expect(scheduler.cancellation == nil)
    try scheduler.settle(1, failedWith: Breakdown(), at: .nanoseconds(2))

    #expect(scheduler.cancellation == .failure(of: "first"))
  }

  @Test func ofFailuresThatLoseTheirHandlerTogetherTheFirstCancels() throws {
    let pond = Pond("three", onFailure: .cancelAll)
    let second = pond.pebble("second") {}
    let first = pond.pebble("first") {}
    let last = pond.pebble("last") {}
    pond.pebble("handles both", when: first.skipped || second.skipped || last.failed) {}
    let scheduler = try Scheduler(pond)

    for pebble in 0...2 { try scheduler.start(pebble, at: .zero) }
    try scheduler.settle(1, failedWith: Breakdown(), at: .nanoseconds(1))
    try scheduler.settle(0, failedWith: Breakdown(), at: .nanoseconds(2))
    #expect(scheduler.cancellation == nil)
    try scheduler.settle(2, succeeded: true, at: .nanoseconds(3))

    #expect(scheduler.cancellation == .failure(of: "first"))
  }

  @Test func whatWasReadyAndIsCancelledWasDecidedByNobody() throws {
    let pond = Pond("two")
    let first = pond.pebble("first") {}
    pond.pebble("next", when: first.succeeded) {}
    let scheduler = try Scheduler(pond)

    try scheduler.start(0, at: .zero)
    try scheduler.settle(0, succeeded: true, at: .nanoseconds(1))
    #expect(scheduler.ready == [1])
    scheduler.cancel(at: .nanoseconds(2))

    let report = try #require(scheduler.report)
    #expect(report.records[1].outcome.skipReason == .cancelled)
    #expect(report.storage.state.cause(of: 1) == nil)
  }

  /// Returns the report of a scheduler to which the events of the given run are reported again.
  private func retold(_ run: Report, of pond: Pond) throws -> Report {
    let scheduler = try Scheduler(pond)
    for record in run.records.sorted(by: { $0.finished < $1.finished }) {
      guard let started = record.started else { continue }
      try scheduler.start(record.position, at: started)
      if let error = record.outcome.error {
        try scheduler.settle(
          record.position, failedWith: error, cases: record.cases, at: record.finished)
      } else {
        try scheduler.settle(
          record.position, succeeded: true, cases: record.cases, at: record.finished)
      }
    }
    return try #require(scheduler.report)
  }
}

/// The facts that a report contains about a pebble. The times at which it was ready or skipped are
/// left out, because the runtime detects a stall slightly later than the end of the last body.
private struct Told: Equatable {
  let outcome: String
  let times: [Duration]
  let cases: [PebbleCase]
  let enabledBy: String?
  let explanation: String

  init(_ record: PebbleRecord) {
    outcome = "\(record.outcome)"
    times = record.started.map { [$0, record.finished] } ?? []
    cases = record.cases
    enabledBy = record.enabledBy
    explanation = record.explanation
  }
}

/// A clock on which each reading is one nanosecond later than the reading before it.
private struct Ticking: Clock {
  private final class Readings: Sendable {
    let count = Atomic(0)
  }

  private let readings = Readings()
  private let origin = ManualClock.Instant(offset: .zero)

  var now: ManualClock.Instant {
    origin.advanced(by: .nanoseconds(readings.count.add(1, ordering: .relaxed).newValue))
  }
  var minimumResolution: Duration { .nanoseconds(1) }
  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {}
}
