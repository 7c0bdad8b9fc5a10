import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of replays, which settle the pebbles of a recorded run again.
@Suite(.watched) struct ReplayTests {
  @Test func orIsPutDownToItsFirstTrueBranch() throws {
    let pond = Pond("boot")
    let slow = pond.pebble("slow") {}
    let quick = pond.pebble("quick") {}
    pond.pebble("show", when: slow.succeeded || quick.succeeded) {}

    let replay = try Replay(pond.simulated(durations: [9, 3, 1]))

    #expect(replay.decisionHistory().pebbles(deciding: 2) == [1])
    #expect(replay.order.pebbles == [3, 1, 2])
  }

  @Test(arguments: 0..<8)
  func simulatedRunsAreReplayed(shard: Int) throws {
    var generator = SeededGenerator(seed: 8_000 + UInt64(shard))
    for _ in 0..<Thoroughness.times(25) {
      let pond = ReferencePond.random(
        mostPebbles: 10, withCases: Bool.random(using: &generator), using: &generator)
      let run = try pond.simulated(using: &generator)

      let replay = try Replay(run)

      #expect(Set(replay.order.pebbles).count == run.pebbles.count)
    }
  }

  @Test func realRunsAreReplayed() async throws {
    var generator = SeededGenerator(seed: 8_100)
    for _ in 0..<Thoroughness.times(50) {
      let pond = ReferencePond.random(
        mostPebbles: 12, withCases: Bool.random(using: &generator), using: &generator)
      let run = try await pond.definedPond().run().recorded()

      _ = try Replay(run)
    }
  }

  @Test func cancelledRunsAreReplayed() async throws {
    let pond = Pond("boot", onFailure: .cancelAll)
    let a = pond.pebble("a") {}
    let b = pond.pebble("b", when: a.succeeded) { throw Breakdown() }
    pond.pebble("c", when: b.succeeded) {}
    let d = pond.pebble("d", when: .never) {}
    let e = pond.pebble("e", when: d.succeeded || b.skipped) {}
    d.ready = e.succeeded && a.succeeded

    let report = try await pond.run()
    let replay = try Replay(report.recorded())

    #expect(report.isCancelled)
    for pebble in replay.run.pebbles.indices {
      #expect(replay.state.status(of: pebble) == report.storage.state.status(of: pebble))
    }
  }

  @Test func recordThatContradictsTheConditionsIsAnError() throws {
    let pond = Pond("boot")
    let ping = pond.pebble("ping") {}
    pond.pebble("offline", when: ping.failed) {}
    let run = try pond.simulated()

    let damaged = run.replacing(1) {
      RecordedPebble(
        name: $0.name, outcome: .succeeded, ready: .zero, started: .zero, finished: .zero,
        decidedBy: 0)
    }

    let error = #expect(throws: RecordingError.self) { try Replay(damaged) }
    #expect(error?.pebble == 1)
    #expect(
      error?.description
        == "offline cannot have ended as recorded: the record says that it succeeded, "
        + "but its condition was false")
  }

  @Test func ofSeveralContradictionsTheFirstToHappenIsTold() throws {
    let pond = Pond("boot")
    let slow = pond.pebble("slow") {}
    pond.pebble("later", when: slow.failed) {}
    let quick = pond.pebble("quick") {}
    pond.pebble("sooner", when: quick.failed) {}
    var run = try pond.simulated(durations: [10, 0, 3])
    for position in [1, 3] {
      run = run.replacing(position) {
        RecordedPebble(
          name: $0.name, outcome: .succeeded, ready: $0.finished, started: $0.finished,
          finished: $0.finished)
      }
    }

    let error = #expect(throws: RecordingError.self) { try Replay(run) }

    #expect(error?.pebble == 3)
  }

  @Test func whatStallsOrIsCancelledSettlesWhenTheRecordSays() throws {
    let pond = Pond("boot")
    pond.pebble("load") {}
    let stuck = pond.pebble("stuck") {}
    stuck.ready = stuck.succeeded
    let run = try pond.simulated(durations: [2])
    let later = run.replacing(1) {
      RecordedPebble(name: $0.name, outcome: $0.outcome, finished: .nanoseconds(5))
    }
    let cancelled = RecordedRun(
      unchecked: run.model,
      pebbles: run.replacing(1) {
        RecordedPebble(name: $0.name, outcome: .skipped(.cancelled), finished: .nanoseconds(9))
      }.pebbles,
      makespan: .nanoseconds(9),
      cancellation: RecordedCancellation("it was cancelled", isOrderly: true))

    #expect(try Replay(run).state.finishTime(of: 1) == 2)
    #expect(try Replay(later).state.finishTime(of: 1) == 5)
    #expect(try Replay(cancelled).state.finishTime(of: 1) == 9)
    #expect(try Replay(pond.simulated()).state.finishTime(of: 1) == 0)
  }

  @Test func whatFollowsFromAHeldResourceStartsBeforeTheRunIsAtRestAgain() throws {
    let pond = Pond("held")
    pond.pebble("slow", .exclusive("disk")) {}
    let next = pond.pebble("next", .exclusive("disk")) {}
    pond.pebble("after", when: next.skipped) {}
    let skipped = RecordedOutcome.skipped(.resourceHeld(by: "slow"))
    let run = RecordedRun(
      unchecked: try pond.model(),
      pebbles: [
        RecordedPebble(
          name: "slow", outcome: .failed("late"), ready: .zero, started: .zero, finished: .zero),
        RecordedPebble(name: "next", outcome: skipped, finished: .nanoseconds(1), decidedBy: 0),
        RecordedPebble(
          name: "after", outcome: .succeeded, ready: .nanoseconds(1), started: .nanoseconds(1),
          finished: .nanoseconds(2), decidedBy: 1),
      ], makespan: .nanoseconds(2))

    let state = try Replay(run).state

    #expect(state.status(of: 1) == .skippedByHolder)
    #expect(state.status(of: 2) == .succeeded)
  }

  @Test(arguments: 0..<4)
  func damagedRecordsNeverTrap(shard: Int) throws {
    var generator = SeededGenerator(seed: 8_200 + UInt64(shard))
    let outcomes: [RecordedOutcome] = [
      .succeeded, .failed("x"), .skipped(.disabled), .skipped(.cancelled), .skipped(.notInRun),
      .skipped(.conditionFalse(decidedBy: nil)), .skipped(.stalled(waitingOn: [])),
    ]
    var faults = 0
    for _ in 0..<Thoroughness.times(50) {
      let pond = ReferencePond.random(
        mostPebbles: 8, withCases: Bool.random(using: &generator), using: &generator)
      var run = try pond.simulated(using: &generator)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        run = run.replacing(Int.random(in: 0..<run.pebbles.count, using: &generator)) { old in
          let times = (0..<3).map { _ in
            Duration.nanoseconds(Int64.random(in: 0...9, using: &generator))
          }.sorted()
          let isKept = Bool.random(using: &generator)
          return RecordedPebble(
            name: old.name,
            outcome: isKept ? old.outcome : outcomes.randomElement(using: &generator) ?? .succeeded,
            ready: times[0], started: times[1], finished: times[2],
            decidedBy: Bool.random(using: &generator) ? nil : 0)
        }
      }
      do { _ = try Replay(run) } catch { faults += 1 }
    }
    #expect(faults > Thoroughness.times(12))
  }
}

extension RecordedRun {
  /// Returns a copy of the run in which the record of one pebble is replaced. The copy is not
  /// checked.
  func replacing(_ position: Int, _ change: (RecordedPebble) -> RecordedPebble) -> RecordedRun {
    var pebbles = self.pebbles
    pebbles[position] = change(pebbles[position])
    return RecordedRun(
      unchecked: model, pebbles: pebbles, makespan: makespan, cancellation: cancellation)
  }
}
