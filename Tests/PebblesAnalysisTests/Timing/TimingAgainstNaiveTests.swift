import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests that compare critical paths, slack, what-if runs and bounds of random ponds with
/// independent computations.
@Suite struct TimingAgainstNaiveTests {
  @Test(arguments: 0..<4)
  func simulatorStartsEverythingWhenTheNaiveScheduleDoes(shard: Int) throws {
    var generator = SeededGenerator(seed: 6_000 + UInt64(shard))
    for _ in 0..<Thoroughness.times(50) {
      let schedule = NaiveSchedule.random(
        count: Int.random(in: 1...12, using: &generator), withOrs: true, withLimits: true,
        using: &generator)

      let starts = try schedule.simulated().times.map { Int($0.started ?? 0) }

      guard starts != schedule.starts() else { continue }
      Issue.record("\(starts) instead of \(schedule.starts()): \(schedule)")
      return
    }
  }

  @Test(arguments: 0..<4)
  func criticalPathIsTheLongestWay(shard: Int) throws {
    var generator = SeededGenerator(seed: 6_100 + UInt64(shard))
    for _ in 0..<Thoroughness.times(50) {
      let schedule = NaiveSchedule.random(
        count: Int.random(in: 1...15, using: &generator), withOrs: true, withLimits: false,
        using: &generator)

      let path = try schedule.simulated().criticalPath()

      let ends = schedule.earliestEnds()
      #expect(path.duration == .nanoseconds(ends.max() ?? 0))
      #expect(path.steps.allSatisfy { $0.delay == .zero })
      #expect(path.steps.allSatisfy { $0.finished == .nanoseconds(ends[$0.position]) })
      #expect(path.steps.reduce(.zero) { $0 + $1.duration } == path.duration)
      #expect(path.steps.first?.waitedFor == .start)
      // Each step could not start without the one before.
      for (step, next) in zip(path.steps, path.steps.dropFirst()) {
        var slower = schedule
        slower.durations[step.position] += 1
        let isEarlier = slower.earliestEnds()[next.position] <= ends[next.position]
        // Unless another branch of an OR would do as well.
        #expect(!isEarlier || schedule.hasOtherWay(to: next.position, than: step.position))
      }
    }
  }

  @Test(arguments: 0..<4)
  func slackIsWhatAPebbleCanLose(shard: Int) throws {
    var generator = SeededGenerator(seed: 6_200 + UInt64(shard))
    for _ in 0..<Thoroughness.times(25) {
      let withOrs = shard.isMultiple(of: 2)
      let schedule = NaiveSchedule.random(
        count: Int.random(in: 1...12, using: &generator), withOrs: withOrs, withLimits: false,
        using: &generator)
      let timing = try schedule.simulated().timing()
      let end = schedule.earliestEnds().max() ?? 0

      for pebble in timing.pebbles {
        let slack = Int(pebble.slack.nanoseconds)
        var slower = schedule
        slower.durations[pebble.position] += slack
        #expect(slower.earliestEnds().max() == end)
        guard !withOrs else { continue }
        slower.durations[pebble.position] += 1
        #expect(slower.earliestEnds().max() == end + 1)
      }
    }
  }

  @Test(arguments: 0..<4)
  func whatIfAgreesWithSimulatingItAnew(shard: Int) throws {
    var generator = SeededGenerator(seed: 6_300 + UInt64(shard))
    for _ in 0..<Thoroughness.times(25) {
      var schedule = NaiveSchedule.random(
        count: Int.random(in: 1...12, using: &generator), withOrs: true, withLimits: true,
        using: &generator)
      schedule.durations = schedule.durations.map { $0 * 2 }
      let run = try schedule.simulated()
      let pebble = Int.random(in: 0..<schedule.durations.count, using: &generator)
      let duration = Int.random(in: 0...20, using: &generator)
      let onMain = schedule.mainActor.map { PebbleID.named("p\($0)") }

      let other = try run.whatIf(
        [.pebble(.named("p\(pebble)"), takes: .nanoseconds(duration))], mainActor: onMain)
      let faster = try run.whatIf([.pebble(.named("p\(pebble)"), speedUp: 2)], mainActor: onMain)

      #expect(other.baseline == .nanoseconds(schedule.makespan))
      var changed = schedule
      changed.durations[pebble] /= 2
      #expect(faster.makespan == .nanoseconds(changed.makespan))
      #expect(faster.run.times.map { Int($0.started ?? 0) } == changed.starts())
      changed.durations[pebble] = duration
      #expect(other.makespan == .nanoseconds(changed.makespan))
      #expect(other.difference == other.makespan - .nanoseconds(schedule.makespan))
    }
  }

  @Test func boundsHoldTheBestOrderBetweenThem() throws {
    var generator = SeededGenerator(seed: 6_400)
    for _ in 0..<60 {
      var schedule = NaiveSchedule.random(
        count: Int.random(in: 2...5, using: &generator), withOrs: false, withLimits: false,
        using: &generator)
      let run = try schedule.simulated()

      for bound in try run.makespanBounds() {
        let workers = bound.workers
        schedule.most = workers
        let best =
          permutations(of: schedule.durations.count).map { ranks in
            schedule.ranks = ranks
            return schedule.makespan
          }.min() ?? 0
        #expect(bound.lowerBound <= .nanoseconds(best))
        #expect(.nanoseconds(best) <= bound.listSchedule)
        let count = workers ?? schedule.durations.count
        #expect(bound.listSchedule * count <= .nanoseconds(best * (2 * count - 1)))
      }
    }
  }
}

extension NaiveSchedule {
  /// Returns the time at which each pebble ends if nothing is limited. This is the length of the
  /// longest path to the pebble, where an OR counts only its shortest operand.
  func earliestEnds() -> [Int] {
    var ends: [Int] = []
    for (formula, duration) in zip(formulas, durations) {
      ends.append(formula.earliest(ends) + duration)
    }
    return ends
  }

  /// Returns whether a pebble can end as early without waiting for another one.
  func hasOtherWay(to pebble: Int, than other: Int) -> Bool {
    var without = self
    without.durations[other] = 1_000_000
    return without.earliestEnds()[pebble] == earliestEnds()[pebble]
  }
}

extension NaiveSchedule.Formula {
  fileprivate func earliest(_ ends: [Int]) -> Int {
    switch self {
    case .pebble(let pebble): ends[pebble]
    case .all(let parts): parts.map { $0.earliest(ends) }.max() ?? 0
    case .any(let parts): parts.map { $0.earliest(ends) }.min() ?? 0
    }
  }
}
