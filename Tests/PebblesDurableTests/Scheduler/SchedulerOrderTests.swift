import Pebbles
import PebblesDurable
import PebblesTestSupport
import Testing

/// Tests of the order in which pebbles become ready. The order is part of the interface, because
/// histories recorded with one version of the package are replayed with another. The expectations
/// in these tests must therefore never change.
@Suite struct SchedulerOrderTests {
  /// An event that is reported to a scheduler, with the position of its pebble.
  private enum Step {
    case start(Int)
    case end(Int)
    case fail(Int)
    case cancel
  }

  @Test func ofPebblesWithLimitsAndPriorities() throws {
    try expect(
      limitedPond(), disabling: [.named("k")], isReady: [6, 5, 0],
      after: [
        (.start(5), [6, 0]), (.start(0), [6]), (.start(6), []), (.end(6), [7]),
        (.start(7), []), (.end(0), [8]), (.start(8), []), (.end(7), []),
        (.fail(5), [11, 2]), (.start(11), [2]), (.end(11), [2, 3]), (.start(3), [2]),
        (.start(2), []), (.end(2), [1]), (.start(1), []), (.end(1), [9]), (.end(8), [9]),
        (.start(9), []), (.end(9), [12]), (.start(12), []), (.end(3), [4]),
        (.start(4), []), (.end(12), []), (.end(4), [16, 15]), (.start(15), [16]),
        (.start(16), []), (.end(16), []), (.end(15), []),
      ])
  }

  @Test func ofPebblesWithLimitsWhereACycleIsOpened() throws {
    try expect(
      limitedPond(), isReady: [6, 5, 0],
      after: [
        (.start(5), [6, 0]), (.start(0), [6]), (.start(6), []), (.end(5), [2]),
        (.start(2), []), (.end(0), [8]), (.start(8), []), (.end(6), [3]), (.start(3), []),
        (.end(8), [7]), (.end(2), [7, 1]), (.start(7), [1]), (.end(3), [1, 9]),
        (.start(1), [9]), (.end(7), [9, 10]), (.start(10), [9]), (.start(9), []),
        (.end(1), [4]), (.start(4), []), (.fail(4), [14]), (.start(14), []),
        (.end(10), []), (.end(9), [12]), (.end(14), [12, 13]), (.start(12), [13]),
        (.start(13), []), (.end(12), []), (.end(13), []),
      ])
  }

  @Test func ofPebblesThatAreStartedInAnotherOrder() throws {
    try expect(
      limitedPond(), isReady: [6, 5, 0],
      after: [
        (.start(6), [5, 0]), (.start(0), [5]), (.end(0), [5, 8]), (.start(5), [8]),
        (.start(8), []), (.end(8), [7]), (.start(7), []), (.fail(6), [10]),
        (.start(10), []), (.end(10), []), (.end(5), [2, 3]), (.end(7), [2, 3]),
        (.start(3), [2]), (.start(2), []), (.end(3), [4]), (.end(2), [4, 1, 9]),
        (.start(9), [4, 1]), (.end(9), [4, 1, 12]), (.start(1), [4, 12]),
        (.start(12), [4]), (.start(4), []), (.end(12), []), (.end(1), []),
        (.end(4), [16, 15]), (.start(16), [15]), (.start(15), []), (.end(15), []),
        (.end(16), []),
      ])
  }

  @Test func ofPebblesWithoutLimits() throws {
    try expect(
      unlimitedPond(), isReady: [0],
      after: [
        (.start(0), []), (.end(0), [2, 3, 6]), (.start(2), [3, 6]), (.end(2), [3, 6, 5]),
        (.start(5), [3, 6]), (.end(5), [3, 6]), (.start(3), [6]), (.start(6), []),
        (.fail(3), [4]), (.end(6), [4]), (.start(4), []), (.end(4), [1]), (.start(1), []),
        (.end(1), []),
      ])
  }

  @Test func ofPebblesWithoutLimitsAfterAFailure() throws {
    try expect(
      unlimitedPond(), isReady: [0],
      after: [
        (.start(0), []), (.fail(0), [2, 4]), (.start(2), [4]), (.end(2), [4, 5]),
        (.start(4), [5]), (.start(5), []), (.end(4), [1]), (.start(1), []), (.end(1), []),
        (.end(5), []),
      ])
  }

  @Test func ofACancelledRun() throws {
    try expect(
      limitedPond(), isReady: [6, 5, 0],
      after: [
        (.start(6), [5, 0]), (.start(5), [0]), (.end(6), [0, 7]), (.cancel, []), (.end(5), []),
      ])
  }

  /// Returns a pond in which at most three pebbles run at a time.
  private func limitedPond() -> Pond {
    let pond = Pond("nightly", maxConcurrent: 3)
    let a = pond.pebble("a") {}
    let b = pond.pebble("b", .uses("connections", of: 2)) {}
    let c = pond.pebble("c", .uses("connections", 2), .priority(1)) {}
    let d = pond.pebble("d", .exclusive("disk")) {}
    let e = pond.pebble("e", .exclusive("disk"), .priority(-1)) {}
    let f = pond.pebble("f", .exclusive("disk"), .uses("connections"), .priority(3)) {}
    let g = pond.pebble("g", .priority(5)) {}
    pond.pebble("h") {}
    let i = pond.pebble("i", .priority(2), when: g.failed || a.succeeded) {}
    let j = pond.pebble("j", .uses("connections"), when: g.completed) {}
    let k = pond.pebble("k") {}
    pond.pebble("l", .priority(9), when: f.failed && k.skipped) {}
    let m = pond.pebble("m", when: i.succeeded && j.succeeded) {}
    // These wait for each other, unless `e` fails.
    let n = pond.pebble("n", when: b.succeeded) {}
    let o = pond.pebble("o", when: n.succeeded || e.failed) {}
    n.ready = o.succeeded && c.completed
    pond.pebble("p", .priority(-2), when: n.skipped && d.completed) {}
    pond.pebble("q", when: o.skipped && m.settled) {}
    return pond
  }

  private func unlimitedPond() -> Pond {
    let pond = Pond("boot")
    let root = pond.pebble("root") {}
    let late = pond.pebble("late", when: .never) {}
    let first = pond.pebble("first", when: .never) {}
    let second = pond.pebble("second", when: root.succeeded) {}
    let third = pond.pebble("third", when: root.failed || second.completed) {}
    late.ready = root.completed && third.settled
    first.ready = root.settled
    pond.pebble("fourth", when: late.skipped || first.succeeded) {}
    pond.pebble("fifth", when: first.failed || root.succeeded) {}
    return pond
  }

  private func expect(
    _ pond: Pond, disabling disabled: [any PebbleIdentifying] = [], isReady first: [Int],
    after history: [(Step, [Int])], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let scheduler = try Scheduler(pond, disabling: disabled)
    #expect(scheduler.ready == first, sourceLocation: sourceLocation)
    for (place, (step, ready)) in history.enumerated() {
      let time = Duration.seconds(place)
      switch step {
      case .start(let pebble): try scheduler.start(pebble, at: time)
      case .end(let pebble): try scheduler.settle(pebble, succeeded: true, at: time)
      case .fail(let pebble): try scheduler.settle(pebble, succeeded: false, at: time)
      case .cancel: scheduler.cancel(at: time)
      }
      #expect(scheduler.ready == ready, "after step \(place)", sourceLocation: sourceLocation)
    }
    #expect(scheduler.isFinished, sourceLocation: sourceLocation)
  }
}
