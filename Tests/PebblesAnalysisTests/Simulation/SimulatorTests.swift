import Pebbles
import Testing

@testable import PebblesAnalysis

/// Tests of simulated runs, in which no bodies are called.
@Suite struct SimulatorTests {
  @Test func bodiesTakeTheTimeTheyAreGiven() throws {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    let ping = pond.pebble("ping") {}
    pond.pebble("show", when: load.completed && ping.completed) {}

    let run = try pond.simulated(durations: [30, 10, 5])

    #expect(run.times == [.init(0, 0, 30), .init(0, 0, 10), .init(30, 30, 35)])
    #expect(run.makespan == .nanoseconds(35))
    #expect(run.pebbles[2].decidedBy == 0)
  }

  @Test func orIsOpenedByItsFirstTrueBranch() throws {
    let pond = Pond("boot")
    let cache = pond.pebble("cache") {}
    let network = pond.pebble("network") {}
    pond.pebble("show", when: network.succeeded || cache.succeeded) {}

    let run = try pond.simulated(durations: [10, 30, 1])

    #expect(run.times[2] == .init(10, 10, 11))
    #expect(run.pebbles[2].decidedBy == 0)
    #expect(run.makespan == .nanoseconds(30))
  }

  @Test func whatStartedFirstEndsFirstAtOneMoment() throws {
    let pond = Pond("boot")
    let root = pond.pebble("root") {}
    let late = pond.pebble("late", when: root.succeeded) {}
    let early = pond.pebble("early") {}
    pond.pebble("show", when: late.succeeded || early.succeeded) {}

    let run = try pond.simulated(durations: [5, 5, 10, 1])

    #expect(run.times[1].finished == run.times[2].finished)
    #expect(run.pebbles[3].decidedBy == 2)
  }

  @Test func withoutLimitsThereIsNoPriority() throws {
    let pond = Pond("boot")
    let first = pond.pebble("first") {}
    let urgent = pond.pebble("urgent", .priority(1)) {}
    pond.pebble("show", when: first.succeeded || urgent.succeeded) {}

    #expect(try pond.simulated().pebbles[2].decidedBy == 0)
    #expect(try pond.simulated { $0.workers = 3 }.pebbles[2].decidedBy == 1)
  }

  @Test func aSimulatedRunNeedsNoNotesOfWhatDecidedIt() throws {
    let pond = Pond("boot")
    let (a, b) = (pond.pebble("a") {}, pond.pebble("b") {})
    let c = pond.pebble("c", when: a.succeeded && b.succeeded || a.failed) {}
    pond.goal = c.succeeded || b.failed

    #expect(try pond.simulated(durations: [2, 1, 1]).deciders == [:])
  }

  @Test func failuresAndDisabledPebblesHaveConsequences() throws {
    let pond = Pond("boot")
    let ping = pond.pebble("ping") {}
    let login = pond.pebble("login", when: ping.succeeded) {}
    pond.pebble("offline", when: login.skipped) {}
    let beta = pond.pebble("beta") {}
    pond.pebble("plain", when: beta.skipped) {}

    let run = try pond.simulated {
      $0.failures = [0: "no route"]
      $0.disabled = [3, 17, -1]
    }

    #expect(
      run.pebbles.map(\.outcome) == [
        .failed("no route"), .skipped(.conditionFalse(decidedBy: "ping")), .succeeded,
        .skipped(.disabled), .succeeded,
      ])
    #expect(run.pebbles[0].attempts.map(\.error) == ["no route"])
  }

  @Test func workersLimitHowManyBodiesAreAtWork() throws {
    let pond = Pond("boot")
    for index in 0..<4 { pond.pebble("p\(index)") {} }

    let one = try pond.simulated(durations: [4, 3, 2, 1]) { $0.workers = 1 }
    let two = try pond.simulated(durations: [4, 3, 2, 1]) { $0.workers = 2 }
    let none = try pond.simulated(durations: [4, 3, 2, 1]) { $0.workers = 0 }

    #expect(one.times.map(\.started) == [0, 4, 7, 9])
    #expect(two.times.map(\.started) == [0, 0, 3, 4])
    #expect(two.times.map(\.ready) == [0, 0, 0, 0])
    #expect(none.times == one.times)
  }

  @Test func mainActorIsHeldByOneBodyAtATime() throws {
    let pond = Pond("boot")
    for name in ["a", "b", "c"] { pond.pebble(name) {} }

    let run = try pond.simulated(durations: [5, 5, 5]) { $0.mainActor = [0, 2, 9] }

    #expect(run.times.map(\.started) == [0, 0, 5])
  }

  @Test func limitsAndPrioritiesOfThePondCount() throws {
    let pond = Pond("boot")
    pond.pebble("a", .exclusive("database")) {}
    pond.pebble("b", .exclusive("database")) {}
    pond.pebble("c", .exclusive("database"), .priority(1)) {}

    let run = try pond.simulated(durations: [1, 1, 1])

    #expect(run.times.map(\.started) == [1, 2, 0])
  }

  @Test func longestRemainingPathGoesFirstIfEarlierDurationsAreKnown() throws {
    let pond = Pond("boot")
    pond.pebble("alone") {}
    let first = pond.pebble("first") {}
    pond.pebble("last", when: first.succeeded) {}

    let run = try pond.simulated(durations: [2, 2, 2]) {
      $0.workers = 1
      $0.earlierDurations = [2, 2, 2]
    }

    #expect(run.times.map(\.started) == [2, 0, 4])
  }

  @Test func whatEndsTogetherSettlesBeforeAnythingStarts() throws {
    let pond = Pond("boot")
    let a = pond.pebble("a") {}
    let b = pond.pebble("b") {}
    pond.pebble("late", .priority(-1)) {}
    pond.pebble("urgent", .priority(1), when: a.succeeded && b.succeeded) {}

    let run = try pond.simulated(durations: [3, 3, 5, 1]) {
      $0.workers = 2
      $0.mainActor = [2, 3]
    }

    #expect(run.times.map(\.started) == [0, 0, 4, 3])
    #expect(run.pebbles[3].decidedBy == 1)
  }

  @Test func durationsBeyondAllNumbersSaturate() throws {
    let pond = Pond("boot")
    let a = pond.pebble("a") {}
    pond.pebble("b", when: a.succeeded) {}

    let run = try pond.simulated(durations: [.max, .max])

    #expect(run.times[1].finished == .max)
  }

  @Test func stallIsSettledWhenNothingIsAtWork() throws {
    let pond = Pond("boot")
    let a = pond.pebble("a") {}
    let b = pond.pebble("b", when: a.succeeded) {}
    let work = pond.pebble("work") {}
    pond.pebble("after", when: b.skipped && work.succeeded) {}
    a.ready = b.succeeded

    let run = try pond.simulated(durations: [1, 1, 7, 1])

    #expect(run.pebbles[0].outcome == .skipped(.stalled(waitingOn: ["b"])))
    #expect(run.times[0].finished == 7)
    #expect(run.times[3] == .init(7, 7, 8))
  }

  @Test func pebblesThatAreNotToStartAreCancelled() throws {
    let pond = Pond("boot")
    let a = pond.pebble("a") {}
    let b = pond.pebble("b", when: a.succeeded) {}
    pond.pebble("c", when: b.settled) {}
    pond.pebble("d", when: a.failed) {}

    let run = try pond.simulated(durations: [3]) { $0.cancelled = [1, 2] }

    #expect(
      run.pebbles.map(\.outcome) == [
        .succeeded, .skipped(.cancelled), .skipped(.cancelled),
        .skipped(.conditionFalse(decidedBy: "a")),
      ])
    #expect(run.cancellation != nil)
  }

  @Test func longChainIsPlayedWithoutRecursion() throws {
    let pond = Pond("chain")
    var last = pond.pebble("p0") {}
    for index in 1..<50_000 { last = pond.pebble("p\(index)", when: last.succeeded) {} }

    let run = try pond.simulated(durations: Array(repeating: 1, count: 50_000))

    #expect(run.makespan == .nanoseconds(50_000))
  }
}
