import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests of pebbles that settle in another order than that of their times, as happens when a runner
/// is held up between reading the clock and settling its pebble. The time of a decision is the
/// latest time of the pebbles on which it depends.
@Suite(.watched) struct DecisionTimeTests {
  private let pond = Pond("times")

  @Test func aPebbleIsReadyWhenTheLastOfWhatItNeedsHasFinished() {
    let (early, late) = (pond.pebble("early") {}, pond.pebble("late") {})
    let both = pond.pebble("both", when: early.succeeded && late.succeeded) {}
    var run = TimedRun(pond)

    run.end(late, at: 20)
    run.end(early, at: 10)

    #expect(run.ready == [position(both)])
    #expect(run.state.cause(of: position(both)) == position(early))
    #expect(run.state.readyTime(of: position(both)) == 20)
    #expect(run.state.enabledTime(of: position(both)) == 20)
  }

  @Test func theTimeIsHandedOnThroughInnerGates() {
    let pebbles = (0..<4).map { pond.pebble("p\($0)") {} }
    let pairs = (pebbles[0].succeeded && pebbles[1].succeeded) || pebbles[2].failed
    let last = pond.pebble("last", when: pairs && pebbles[3].succeeded) {}
    var run = TimedRun(pond)

    for (pebble, time) in [(1, 40), (3, 20), (2, 30), (0, 10)] as [(Int, UInt64)] {
      run.end(pebbles[pebble], at: time)
    }

    #expect(run.ready == [position(last)])
    #expect(run.state.readyTime(of: position(last)) == 40)
  }

  @Test func aSkipIsAtTheTimeOfTheLastThatMadeItCertain() {
    let (early, late) = (pond.pebble("early") {}, pond.pebble("late") {})
    let fallback = pond.pebble("fallback", when: early.failed || late.failed) {}
    let after = pond.pebble("after", when: fallback.succeeded) {}
    var run = TimedRun(pond)

    run.end(late, at: 20)
    run.end(early, at: 10)

    #expect(run.state.status(of: position(after)) == .skippedByCondition)
    #expect(run.state.finishTime(of: position(fallback)) == 20)
    #expect(run.state.finishTime(of: position(after)) == 20)
  }

  @Test func whatOneOperandDecidesIsDecidedAtItsTime() {
    let (first, second) = (pond.pebble("first") {}, pond.pebble("second") {})
    let either = pond.pebble("either", when: first.succeeded || second.succeeded) {}
    let neither = pond.pebble("neither", when: first.failed && second.failed) {}
    var run = TimedRun(pond)

    run.end(first, at: 10)
    run.end(second, at: 20)

    #expect(run.state.readyTime(of: position(either)) == 10)
    #expect(run.state.finishTime(of: position(neither)) == 10)
  }

  @Test func runnersThatArriveAtOnceAgreeOnTheLatestTime() async {
    let count = 8
    let all = (0..<count).map { pond.pebble("p\($0)") {} }
    let last = pond.pebble("last", when: .all(all.map(\.succeeded))) {}
    let program = pond.program().pond
    for round in 0..<200 {
      let storage = RunStorage(program)
      var decisions = Decisions()
      storage.state.begin(into: &decisions)
      for pebble in all { storage.state.pebbleStarted(position(pebble), at: 0) }

      await withTaskGroup { group in
        for pebble in 0..<count {
          group.addTask {
            var decisions = Decisions()
            let time = UInt64(1 + (pebble + round) % count)
            storage.state.pebbleFinished(pebble, succeeded: true, at: time, into: &decisions)
          }
        }
      }

      #expect(storage.state.readyTime(of: position(last)) == UInt64(count))
    }
  }

  private func position(_ pebble: Pebble<Void>) -> Int { Int(pebble.reference.index) }
}

/// A run of the engine alone, in which a test sets the time at which each pebble ends.
private struct TimedRun {
  let storage: RunStorage
  private(set) var ready: [Int] = []
  private var decisions = Decisions()

  init(_ pond: Pond) {
    storage = RunStorage(pond.program().pond)
    state.begin(into: &decisions)
    for pebble in decisions.ready { state.pebbleStarted(Int(pebble), at: 0) }
    decisions.ready = []
  }

  var state: ReadinessState { storage.state }

  mutating func end(_ pebble: Pebble<Void>, at time: UInt64) {
    state.pebbleFinished(
      Int(pebble.reference.index), succeeded: true, at: time, into: &decisions)
    ready += decisions.ready.map(Int.init)
    decisions.ready = []
  }
}

@Suite(.watched) struct BackwardClockTests {
  /// A clock that goes backward at every second reading.
  private struct Jumpy: Clock {
    final class Readings: Sendable {
      let count = Atomic(0)
    }

    let readings = Readings()
    let origin = ManualClock.Instant(offset: .zero)

    var now: ManualClock.Instant {
      let count = readings.count.add(1, ordering: .relaxed).newValue
      return origin.advanced(by: .seconds(100 + (count.isMultiple(of: 2) ? count : -count)))
    }
    var minimumResolution: Duration { .nanoseconds(1) }
    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {}
  }

  @Test func noPebbleTakesLessThanNoTimeHoweverTheClockJumps() async throws {
    let pond = Pond("jumpy")
    var last = pond.pebble("p0") {}
    for number in 1..<20 { last = pond.pebble("p\(number)", when: last.succeeded) {} }

    let report = try await pond.run(clock: Jumpy())

    for (record, next) in zip(report.records, report.records.dropFirst()) {
      #expect(try #require(record.duration) >= .zero)
      #expect(try #require(next.started) >= record.finished)
    }
    #expect(report.makespan >= (try #require(report.records.last?.finished)))
  }

  @Test func aRunThatReadsAnEarlierTimeStandsStill() {
    let clock = RunClock(Jumpy())
    var readings = [clock.now()]
    for _ in 0..<10 { readings.append(clock.now()) }

    #expect(readings == readings.sorted())
    #expect(Set(readings).count > 2)
  }
}
