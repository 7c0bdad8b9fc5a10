import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import Testing

/// Tests of the data that `recorded()` copies from a report, and of invalid runs that cannot be
/// constructed by hand.
@Suite(.watched) struct RecordedRunTests {
  @Test func recordedRunSaysWhatTheReportSays() async throws {
    let pond = Pond("boot")
    let ping = pond.pebble("ping", .retry(.attempts(2))) { throw Breakdown("refused") }
    let load = pond.pebble("load", when: ping.failed) {}
    pond.pebble("show", needs: load, ping) { _, _ in }
    pond.pebble("watch", when: .never) {}

    let report = try await pond.run()
    let run = report.recorded()

    #expect(run.fault == nil)
    #expect(run.model.names == ["ping", "load", "show", "watch"])
    #expect(run.makespan == report.makespan)
    #expect(run.cancellation == nil)
    #expect(run.pebbles[0].outcome == .failed("refused"))
    #expect(run.pebbles[0].attempts.map(\.error) == ["refused", "refused"])
    #expect(run.pebbles[1].outcome == .succeeded)
    #expect(run.pebbles[1].decidedBy == 0)
    #expect(run.pebbles[1].started == report.records[1].started)
    #expect(run.pebbles[2].outcome == .skipped(.conditionFalse(decidedBy: "ping")))
    #expect(run.pebbles[3].outcome == .skipped(.conditionFalse(decidedBy: nil)))
  }

  @Test func runsInsideOfBodiesAreRecordedWithThem() async throws {
    let inner = Pond("inner")
    inner.pebble("work") {}
    let pond = Pond("outer")
    pond.pebble("first") {}
    pond.pebble("nest") { _ = try await inner.run() }

    let run = try await pond.run().recorded()

    #expect(run.nested.map(\.pebble) == [1])
    #expect(run.nested.first?.run.model.names == ["work"])
    #expect(run.omittedNestedRuns == 0)
  }

  /// Checks random ponds with random goals. Some goals are reached, some are missed, and some
  /// belong to runs that are cancelled.
  @Test func aRecordedRunHasReachedItsGoalIfTheReportSaysSo() async throws {
    var generator = SeededGenerator(seed: 27)
    var seen: Set<Bool?> = []
    for round in 0..<Thoroughness.times(100) {
      let reference = ReferencePond.random(mostPebbles: 6, using: &generator)
      let pond = Pond("random")
      let last = reference.define(in: pond).randomElement(using: &generator)
      let goal = last.map { [$0.succeeded, $0.failed, $0.skipped, $0.completed] } ?? []
      pond.goal = goal.randomElement(using: &generator)
      let started = Gate()
      let isAskedToEnd = round.isMultiple(of: 3)
      if isAskedToEnd {
        pond.pebble("stays") {
          started.open()
          try await untilCancelled()
        }
      }

      let run = try pond.start()
      if isAskedToEnd {
        await started.passed()
        run.cancel()
      }
      let report = try await run.report
      let recorded = try RecordedRun(json: report.recorded().json())

      #expect(try recorded.isGoalReached == report.isGoalReached)
      #expect(try recorded.missedGoal == report.missedGoal)
      #expect(try recorded.exitCode == report.exitCode)
      seen.insert(report.isGoalReached)
    }
    #expect(seen == [nil, false, true])
  }

  @Test func aRunThatIsAskedToEndHasNotMissedItsGoal() async throws {
    let started = Gate()
    let pond = Pond("boot")
    let load = pond.pebble("load") {
      started.open()
      try await untilCancelled()
    }
    pond.goal = pond.pebble("publish", when: load.succeeded) {}.succeeded

    let run = try pond.start()
    await started.passed()
    run.cancel()
    let recorded = try await run.report.recorded()

    #expect(try recorded.isGoalReached == nil)
    #expect(try recorded.missedGoal == nil)
    #expect(try recorded.exitCode == 0)
  }

  @Test func aRunThatAFailureCancelsHasMissedItsGoal() async throws {
    let pond = Pond("boot", onFailure: .cancelAll)
    let load = pond.pebble("load") { throw Breakdown("no route") }
    pond.goal = pond.pebble("publish", when: load.succeeded) {}.succeeded

    let report = try await pond.run()
    let recorded = report.recorded()

    #expect(recorded.cancellation?.isOrderly == false)
    #expect(try recorded.isGoalReached == false)
    #expect(try recorded.missedGoal != nil)
    #expect(try recorded.missedGoal == report.missedGoal)
  }

  @Test func theModelOfARunHasTheLimitsOfItsPond() async throws {
    let pond = Pond("boot", maxConcurrent: 2, onFailure: .cancelAll)
    pond.pebble("load", .timeout(.seconds(5)), .exclusive("disk"), .priority(3)) {}

    let model = try await pond.run().recorded().model

    #expect(model.limits.maxConcurrent == 2)
    #expect(model.limits.capacities == [1])
    #expect(model.properties[0]?.timeout == .seconds(5))
    #expect(model.properties[0]?.priority == 3)
    #expect(model.failurePolicy == .cancelAll)
  }

  @Test(arguments: impossibleRecords)
  func recordsOfWhatCannotHaveHappenedAreErrors(_ load: RecordedPebble, _ said: String) throws {
    let model = try twoPebbles().model()
    let show = RecordedPebble(
      name: "show", outcome: .skipped(.conditionFalse(decidedBy: "load")), finished: .seconds(1),
      decidedBy: 0)

    let error = #expect(throws: RecordingError.self) {
      try RecordedRun(model: model, pebbles: [load, show], makespan: .seconds(2))
    }

    #expect(error?.pebble == 0)
    #expect(error?.description.contains(said) == true, "\(error?.description ?? "")")
  }

  @Test func aRunByHandHasThePebblesOfItsPond() throws {
    let model = try twoPebbles().model()

    let error = #expect(throws: RecordingError.self) {
      try RecordedRun(model: model, pebbles: [], makespan: .seconds(2))
    }

    #expect(error?.description == "the run has 0 pebbles, but its pond has 2")
  }

  @Test func timesBeyondAllBoundsNeverTrap() throws {
    let least = Duration(attoseconds: .min)
    let most = Duration(attoseconds: .max)
    let model = try twoPebbles().model()
    func pebble(_ name: String, from start: Duration, to end: Duration) -> RecordedPebble {
      RecordedPebble(
        name: name, outcome: .succeeded, ready: start, started: start, finished: end,
        attempts: [RecordedAttempt(started: start, finished: end)],
        service: RecordedService(end: RecordedServiceEnd(time: end, wasAsked: true)))
    }
    func run(_ load: RecordedPebble, _ makespan: Duration) throws -> RecordedRun {
      let show = pebble("show", from: .zero, to: .zero)
      return try RecordedRun(model: model, pebbles: [load, show], makespan: makespan)
    }

    #expect(pebble("load", from: least, to: most).duration == most)
    #expect(pebble("load", from: most, to: least).duration == least)
    #expect(throws: RecordingError.self) { try run(pebble("load", from: least, to: most), most) }
    #expect(throws: RecordingError.self) { try run(pebble("load", from: .zero, to: least), most) }
    #expect(throws: RecordingError.self) { try run(pebble("load", from: .zero, to: .zero), least) }
    let longest = try run(pebble("load", from: .zero, to: most), most)
    let copy = try RecordedRun(json: longest.json())
    #expect(copy.pebbles == longest.pebbles)
    #expect(copy.makespan == UInt64.max.asNanoseconds)
    #expect("\(try copy.timing().blame)\(try copy.timing().utilization)".isEmpty == false)
    #expect("\(try copy.compared(to: copy))".isEmpty == false)
    #expect(try copy.whatIf([.pebble(.named("load"), speedUp: 1e-9)]).makespan == copy.makespan)
    #expect(try copy.makespanBounds()[0].listSchedule == copy.makespan)
  }

  private func twoPebbles() -> Pond {
    let pond = Pond("boot")
    pond.pebble("load") {}
    pond.pebble("show") {}
    return pond
  }
}

private let impossibleRecords: [(RecordedPebble, String)] = [
  (RecordedPebble(name: "save", outcome: .succeeded, finished: .zero), "is called"),
  (RecordedPebble(name: "load", outcome: .succeeded, finished: .zero), "the time at which"),
  (ran(ready: -1, started: 0, finished: 1), "before the start of the run"),
  (ran(ready: 1, started: 0, finished: 1), "before it was ready"),
  (ran(ready: 0, started: 1, finished: 0), "before it started"),
  (ran(ready: 0, started: 1, finished: 3), "after the end of the run"),
  (
    RecordedPebble(
      name: "load", outcome: .succeeded, ready: .zero, started: .seconds(1), finished: .seconds(1),
      attempts: [RecordedAttempt(started: .zero, finished: .seconds(1))]),
    "outside its start and finish"
  ),
  (skipped(.cancelled, decidedBy: 2), "does not exist"),
  (skipped(.cancelled, decidedBy: -1), "does not exist"),
  (skipped(.cancelled, decidedBy: 0), "by itself"),
  (skipped(.cancelled, decidedBy: 1), "by itself"),
  (skipped(.conditionFalse(decidedBy: "show"), decidedBy: nil), "does not match the pebble"),
  (skipped(.stalled(waitingOn: ["show", "who"]), decidedBy: nil), "waited for who,"),
  (skipped(.notInRun, decidedBy: nil), "not in the run"),
  (
    RecordedPebble(
      name: "load", outcome: .skipped(.cancelled), ready: .zero, finished: .zero),
    "but became ready"
  ),
]

private func ran(ready: Int, started: Int, finished: Int) -> RecordedPebble {
  RecordedPebble(
    name: "load", outcome: .succeeded, ready: .seconds(ready), started: .seconds(started),
    finished: .seconds(finished))
}

private func skipped(_ reason: SkipReason, decidedBy: Int?) -> RecordedPebble {
  RecordedPebble(
    name: "load", outcome: .skipped(reason), finished: .seconds(1), decidedBy: decidedBy)
}
