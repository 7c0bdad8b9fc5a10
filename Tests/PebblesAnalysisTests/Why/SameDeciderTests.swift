import PebblesDurable
import PebblesTestSupport
import Testing

@testable import Pebbles
@testable import PebblesAnalysis

/// Tests that five sources name the same pebble as the decider, regardless of the order of runners:
/// the skip reason, the explanation, the record, the file to which the record is written, and
/// `why`.
@Suite(.watched) struct SameDeciderTests {
  /// Checks runs in which runners reach a condition in another order than that of the times they
  /// have read from the clock.
  @Test(arguments: 0..<8)
  func allNameTheSameHoweverRunnersCome(shard: Int) throws {
    var generator = SeededGenerator(seed: 21_000 + UInt64(shard))
    for _ in 0..<Thoroughness.times(25) {
      let pond = ReferencePond.random(
        mostPebbles: 10, withCases: !shard.isMultiple(of: 2), using: &generator)
      try expectSame(UnpunctualRun.report(pond, using: &generator), pond)
    }
  }

  @Test(arguments: 0..<4)
  func allNameTheSameAfterARealRun(shard: Int) async throws {
    var generator = SeededGenerator(seed: 22_000 + UInt64(shard))
    for _ in 0..<Thoroughness.times(25) {
      let pond = ReferencePond.random(
        mostPebbles: 10, withCases: shard > 1, using: &generator)
      try await expectSame(pond.definedPond().run(), pond)
    }
  }

  @Test func whatFitsNoRunIsLeftOut() throws {
    let pond = Pond("odd")
    let a = pond.pebble("a") {}
    let b = pond.pebble("b", when: a.succeeded) {}
    pond.pebble("c", when: a.succeeded || b.succeeded) {}
    let run = try pond.simulated(durations: [1, 0, 3])
    // Of the last, b goes on when c has started.
    let odd = [
      run.deciding([99: 0]), run.deciding([2: 99]), run.deciding([2: 2]), run.deciding([0: 1]),
      try pond.simulated(durations: [1, 2, 3]).deciding([2: 1]),
    ]

    for run in odd {
      let replay = try Replay(run)
      #expect(replay.decisionHistory().pebbles(deciding: 2) == [0])
      #expect(try RecordedRun(json: run.json()).deciders == run.deciders)
    }
    #expect(try Replay(run.deciding([2: 1])).decisionHistory().pebbles(deciding: 2) == [1])
    var contradicted = run
    contradicted.deciders = [2: 1]
    #expect(try Replay(contradicted).decisionHistory().pebbles(deciding: 2) == [0])
  }

  @Test func pebblesThatWouldHaveDecidedEachOtherAreLeftOut() throws {
    let pond = Pond("circle")
    let a = pond.pebble("a") {}
    let b = pond.pebble("b") {}
    let c = pond.pebble("c") {}
    b.ready = a.succeeded || c.succeeded
    c.ready = a.succeeded || b.succeeded
    let run = try pond.simulated(durations: [1, 1, 1])

    let replay = try Replay(run.deciding([1: 2, 2: 1]))

    #expect(replay.decisionHistory().pebbles(deciding: 1) == [0])
    #expect(replay.decisionHistory().pebbles(deciding: 2) == [0])
    let slack = try RunTiming(Replay(run.deciding([1: 2])), mainActor: []).pebbles
    #expect(slack.count == 3)
  }

  /// Checks pebbles that all end at the same time. Only the recorded decider shows which one was
  /// first.
  @Test func atOneTimeWhatDecidedSettlesFirst() throws {
    let pond = Pond("tied")
    pond.pebble("holder", .exclusive("db")) {}
    let x = pond.pebble("x", .exclusive("db")) {}
    let a = pond.pebble("a") {}
    let c = pond.pebble("c", .exclusive("db")) {}
    x.ready = a.succeeded || c.succeeded
    let scheduler = try Scheduler(pond)
    let end = Duration.nanoseconds(5)
    for pebble in [0, 2] { try scheduler.start(pebble, at: .zero) }
    try scheduler.settle(0, succeeded: true, at: end)
    for pebble in [3, 2, 1] {
      if pebble != 2 { try scheduler.start(pebble, at: end) }
      try scheduler.settle(pebble, succeeded: true, at: end)
    }
    let run = try #require(scheduler.report).recorded()

    #expect(run.deciders == [1: 3])
    let path = try RecordedRun(json: run.json()).criticalPath()
    #expect(path.steps.map(\.name) == ["holder", "c", "x"])
  }

  /// Checks that a disabled pebble has no decider, even if the record claims one.
  @Test func whatWasDisabledHasNoDecider() throws {
    let pond = Pond("off")
    let off = pond.pebble("off", .enabled { false }) {}
    off.ready = off.skipped
    pond.pebble("x", when: off.skipped) {}
    let run = try pond.simulated(durations: [0, 1]) { $0.disabled = [0] }

    let odd = run.deciding([0: 0])

    #expect(try Replay(odd).state.cause(of: 0) == nil)
    #expect(try odd.criticalPath().steps.map(\.name) == ["off", "x"])
  }

  private func expectSame(_ report: Report, _ pond: ReferencePond) throws {
    let state = report.storage.state
    let history = DecisionHistory(state, report.storage.pond.operands)
    let run = try RecordedRun(json: report.recorded().json())
    let replay = try Replay(run)
    for record in report.records {
      let pebble = record.position
      let literals = DecidingClause(of: pebble, history).literals
      let replayed = DecidingClause(of: pebble, replay.decisionHistory()).literals
      try #require(literals == replayed, "p\(pebble) of\n\(pond)")
      try #require(run.pebbles[pebble].decidedBy == state.cause(of: pebble), "\(pond)")
      guard let cause = state.cause(of: pebble) else { continue }
      try #require(replay.state.cause(of: pebble) == cause, "p\(pebble) of\n\(pond)")
      let positions = replay.order.pebbles
      try #require(positions[cause] < positions[pebble], "p\(pebble) of\n\(pond)")
      guard state.status(of: pebble).hasDecidedCondition, literals.count <= 4 else {
        continue
      }
      try #require(literals.contains { $0.pebble == cause }, "p\(pebble) of\n\(pond)")
      let name = report.records[cause].name
      try #require(record.explanation.contains("\(name) "), "p\(pebble) of\n\(pond)")
      try #require(run.why(of: pebble).sentence.contains("\(name) "), "p\(pebble) of\n\(pond)")
    }
  }
}

/// A run that the test drives. The end of a pebble is reported up to three time units late.
private enum UnpunctualRun {
  static func report(
    _ pond: ReferencePond, using generator: inout SeededGenerator
  ) -> Report {
    let defined = pond.definedPond()
    let compiled = withExtendedLifetime(defined) { defined.program().pond }
    let storage = RunStorage(compiled)
    let state = storage.state
    var decisions = Decisions()
    var running: [Int] = []
    var now: UInt64 = 0
    state.begin(into: &decisions)
    while true {
      for ready in decisions.ready.map(Int.init) {
        state.pebbleStarted(ready, at: max(now, state.enabledTime(of: ready)))
        running.append(ready)
      }
      decisions.ready.removeAll()
      if running.isEmpty {
        guard decisions.settledCount < compiled.network.pebbleCount else { break }
        state.resolveStall(compiled.operands, at: now, into: &decisions)
        continue
      }
      now += UInt64.random(in: 0...2, using: &generator)
      let pebble = running.remove(at: Int.random(in: running.indices, using: &generator))
      let early = UInt64.random(in: 0...3, using: &generator)
      let end = max(state.startTime(of: pebble), now > early ? now - early : 0)
      if !pond.succeeds[pebble] { storage.bodyFailed(with: Breakdown(), at: pebble) }
      state.pebbleFinished(
        pebble, succeeded: pond.succeeds[pebble], cases: pond.caseSet(of: pebble), at: end,
        into: &decisions)
    }
    let last = (0..<compiled.network.pebbleCount).reduce(now) { max($0, state.finishTime(of: $1)) }
    return Report(storage, RunIdentifier(), RunEnd(time: last, cancellation: nil))
  }
}

extension RecordedRun {
  /// Returns a copy of the run with other deciders and without the other records of deciders.
  fileprivate func deciding(_ deciders: [Int: Int]) -> RecordedRun {
    RecordedRun(
      unchecked: model,
      pebbles: pebbles.map {
        RecordedPebble(
          name: $0.name, outcome: $0.outcome, ready: $0.ready, started: $0.started,
          finished: $0.finished)
      }, makespan: makespan, deciders: deciders)
  }
}

extension PebbleStatus {
  fileprivate var hasDecidedCondition: Bool {
    self == .succeeded || self == .failed || self == .skippedByCondition
  }
}
