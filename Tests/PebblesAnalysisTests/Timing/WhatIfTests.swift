import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of what-if runs by example.
@Suite(.watched) struct WhatIfTests {
  @Test func fasterPebbleMovesTheBottleneck() throws {
    let pond = Pond("boot")
    let cores = pond.pebble("loadCores") {}
    let migrate = pond.pebble("migrate") {}
    pond.pebble("show", when: cores.completed && migrate.completed) {}
    let run = try pond.simulated(durations: [600_000_000, 390_000_000, 10_000_000])

    let twice = try run.whatIf([.pebble(cores, speedUp: 2)])
    let slower = try run.whatIf([.pebble(.named("loadCores"), takes: .milliseconds(700))])
    let useless = try run.whatIf([.pebble(migrate, takes: .zero)])

    #expect(twice.description == "loadCores twice as fast: −210 ms, next bottleneck migrate")
    #expect(twice.baseline == .milliseconds(610))
    #expect(twice.makespan == .milliseconds(400))
    #expect(twice.difference == .milliseconds(-210))
    #expect(twice.run.pebbles[2].started == .milliseconds(390))
    #expect(slower.description == "loadCores in 700 ms: +100 ms, bottleneck still loadCores")
    #expect(useless.description == "migrate in 0 ns: no difference, next bottleneck loadCores")
  }

  @Test func outcomesStayAsTheyWere() throws {
    let pond = Pond("boot")
    let ping = pond.pebble("ping") {}
    let beta = pond.pebble("beta", when: ping.failed) {}
    let late = pond.pebble("late", when: beta.succeeded) {}
    pond.pebble("off") {}
    pond.pebble("last", when: beta.completed) {}
    pond.pebble("never", when: late.settled) {}
    let run = try pond.simulated(durations: [4, 2, 2, 9, 3]) {
      $0.failures = [0: "no"]
      $0.disabled = [3]
      $0.cancelled = [2, 5]
    }

    let other = try run.whatIf([.pebble(.named("ping"), takes: .nanoseconds(1))])

    #expect(other.run.pebbles.map(\.outcome) == run.pebbles.map(\.outcome))
    #expect(other.makespan == .nanoseconds(6))
    #expect(other.difference == .nanoseconds(-3))
  }

  @Test func whatWaitedInVainForAResourceDoesSoAgain() throws {
    let pond = Pond("held")
    pond.pebble("slow", .exclusive("disk")) {}
    let next = pond.pebble("next", .exclusive("disk")) {}
    pond.pebble("after", when: next.skipped) {}
    let run = try RecordedRun(
      model: try pond.model(),
      pebbles: [
        RecordedPebble(
          name: "slow", outcome: .failed("late"), ready: .zero, started: .zero,
          finished: .seconds(1)),
        RecordedPebble(
          name: "next", outcome: .skipped(.resourceHeld(by: "slow")), finished: .seconds(2),
          decidedBy: 0),
        RecordedPebble(
          name: "after", outcome: .succeeded, ready: .seconds(2), started: .seconds(2),
          finished: .seconds(12), decidedBy: 1),
      ], makespan: .seconds(12))

    let same = try run.whatIf([])
    let bounds = try run.makespanBounds(workers: [1, nil])

    #expect(same.run.pebbles.map(\.outcome) == run.pebbles.map(\.outcome))
    // Nothing says how long a body had to obey that went on.
    #expect(same.baseline == .seconds(11))
    #expect(bounds.map(\.listSchedule) == [.seconds(11), .seconds(11)])
    #expect(bounds.map(\.lowerBound) == [.seconds(11), .seconds(11)])
  }

  private func run(
    _ pond: Pond, lasting makespan: Duration, _ pebbles: RecordedPebble...
  ) throws -> RecordedRun {
    try RecordedRun(model: try pond.model(), pebbles: pebbles, makespan: makespan)
  }

  @Test func whatWasKeptWaitsForNoResource() throws {
    let pond = Pond("app")
    pond.pebble("load", .exclusive("disk")) {}
    let store = pond.pebble("store", .exclusive("disk")) {}
    pond.pebble("show", when: store.succeeded) {}
    let run = try run(
      pond, lasting: .seconds(10),
      RecordedPebble(
        name: "load", outcome: .succeeded, ready: .zero, started: .zero, finished: .seconds(10)),
      RecordedPebble(
        name: "store", outcome: .succeeded, ready: .zero, started: .zero, finished: .zero,
        keptFrom: "4f1c"),
      RecordedPebble(
        name: "show", outcome: .succeeded, ready: .zero, started: .zero, finished: .seconds(10),
        decidedBy: 1))

    let same = try run.whatIf([])
    let slower = try run.whatIf([.pebble(store, takes: .seconds(5))])
    let bounds = try run.makespanBounds(workers: [nil])

    #expect(same.baseline == .seconds(10))
    #expect(same.run.pebbles[1].keptFrom == "4f1c")
    #expect(same.run.pebbles[1].attempts.isEmpty)
    #expect(slower.ignored == ["store was kept from an earlier run"])
    #expect(slower.difference == .zero)
    #expect(bounds.map(\.listSchedule) == [.seconds(10)])
  }

  @Test func whatTheRunWasGivenTakesNoTime() throws {
    let pond = Pond("page")
    let user = pond.given("user", String.self)
    pond.pebble("show", when: user.succeeded) {}
    let run = try pond.simulated(durations: [0, 5])

    let later = try run.whatIf([.pebble(user, takes: .seconds(1))])

    #expect(
      later.description == "nothing different: no difference, next bottleneck show; "
        + "ignored: user was given to the run")
  }

  @Test func whatCannotHaveBeenKeptRunsInItsTurn() throws {
    let pond = Pond("app")
    let load = pond.pebble("load") {}
    pond.pebble("show", when: load.succeeded) {}
    let run = try run(
      pond, lasting: .seconds(1),
      RecordedPebble(
        name: "load", outcome: .succeeded, ready: .zero, started: .zero, finished: .seconds(1)),
      RecordedPebble(
        name: "show", outcome: .succeeded, ready: .seconds(1), started: .seconds(1),
        finished: .seconds(1), decidedBy: 0, keptFrom: "4f1c"))

    #expect(try run.whatIf([]).run.times == run.times)
  }

  @Test func fewerWorkersAreSlower() throws {
    let pond = Pond("boot")
    for name in ["a", "b"] { pond.pebble(name) {} }

    let one = try pond.simulated(durations: [3, 4]).whatIf([.workers(1)])

    #expect(one.description == "1 at a time: +3 ns, next bottleneck b")
  }

  @Test func moreWorkersThanThePondAllowsChangeNothing() throws {
    let pond = Pond("boot", maxConcurrent: 1)
    for name in ["a", "b"] { pond.pebble(name) {} }
    let run = try pond.simulated(durations: [3, 4])

    #expect(run.makespan == .nanoseconds(7))
    #expect(try run.whatIf([.workers(2)]).difference == .zero)
  }

  @Test func changesAreNamedAndAFifthIsCounted() throws {
    let pond = Pond("boot")
    let pebbles = (0..<6).map { pond.pebble("p\($0)") {} }
    let run = try pond.simulated(durations: [60, 10, 10, 10, 10, 10])
    let four: [WhatIf.Change] = [
      .pebble(pebbles[1], speedUp: 3), .pebble(pebbles[2], speedUp: 2.5),
      .pebble(pebbles[3], speedUp: 0.5), .workers(6),
    ]
    let named = "p1 3 times as fast, p2 2.5 times as fast, p3 half as fast, 6 at a time"

    #expect(try run.whatIf(four).description == "\(named): no difference, next bottleneck p0")
    let more = pebbles[4...5].map { WhatIf.Change.pebble($0, speedUp: 2) }
    #expect(
      try run.whatIf(four + more.prefix(1)).description
        == "\(named), 1 more: no difference, next bottleneck p0")
    #expect(
      try run.whatIf(four + more).description
        == "\(named), 2 more: no difference, next bottleneck p0")
  }

  @Test func changesThatMakeNoSenseAreSaidToBeIgnored() throws {
    let pond = Pond("boot")
    pond.pebble("a") {}
    let run = try pond.simulated(durations: [5])

    let same = try run.whatIf([
      .pebble(.named("a"), speedUp: 0), .pebble(.named("a"), speedUp: .nan),
    ])
    let slow = try run.whatIf([.pebble(.named("a"), speedUp: 1e-300)])
    let negative = try run.whatIf([.pebble(.named("a"), takes: .seconds(-5))])

    #expect(same.difference == .zero)
    #expect(same.ignored == ["a cannot be 0.0 times as fast", "a cannot be nan times as fast"])
    #expect(
      same.description == "nothing different: no difference, next bottleneck a; "
        + "ignored: a cannot be 0.0 times as fast, a cannot be nan times as fast")
    #expect(slow.makespan.nanoseconds == .max)
    #expect(negative.makespan == .zero)
  }

  @Test func onlyChangesThatWereMadeAreListed() throws {
    let pond = Pond("boot")
    let a = pond.pebble("a") {}
    let repair = pond.pebble("repair", when: a.failed) {}
    let run = try pond.simulated(durations: [5])

    let last = try run.whatIf([
      .pebble(a, speedUp: 2), .workers(3), .pebble(.named("a"), takes: .nanoseconds(7)),
      .pebble(a, speedUp: -1), .workers(0), .pebble(repair, takes: .seconds(1)),
    ])
    let negative = try run.whatIf([.pebble(a, takes: .seconds(-5))])

    #expect(
      last.description == "a in 7 ns, 1 at a time: +2 ns, bottleneck still a; "
        + "ignored: a cannot be -1.0 times as fast, repair was skipped")
    #expect(negative.description == "a in 0 ns: −5 ns, bottleneck still a")
  }

  @Test func reportsAreAskedLikeRecordedRuns() async throws {
    let pond = Pond("boot")
    let a = pond.pebble("a") { 1 }
    let b = pond.pebble("b", when: a.succeeded) {}
    let report = try await pond.run()

    let slower = try report.whatIf(
      [.pebble(a, takes: .seconds(9))], mainActor: [a, b, .named("b")])
    let bounds = try report.makespanBounds(workers: [1], mainActor: [a, b])

    #expect(slower.makespan >= .seconds(9))
    #expect(slower.bottleneck?.name == "a")
    #expect(bounds.map(\.workers) == [1])
    #expect(bounds[0].listSchedule == bounds[0].lowerBound)
  }

  @Test func boundsOfOneCoreAreAllWork() throws {
    let pond = Pond("boot")
    let a = pond.pebble("a") {}
    pond.pebble("b", when: a.succeeded) {}
    pond.pebble("c") {}
    pond.pebble("d") {}
    let run = try pond.simulated(durations: [4, 4, 3, 2])

    let bounds = try run.makespanBounds()
    let onMain = try pond.simulated(durations: [4, 4, 3, 2]) { $0.mainActor = [0, 2, 3] }
      .makespanBounds(workers: [nil], mainActor: [.named("a"), .named("c"), .named("d")])

    #expect(bounds.map(\.workers) == [1, 2, 4, nil])
    #expect(bounds.map(\.listSchedule) == [13, 8, 8, 8].map { .nanoseconds($0) })
    #expect(bounds.map(\.lowerBound) == [13, 8, 8, 8].map { .nanoseconds($0) })
    #expect(
      onMain == [MakespanBounds(workers: nil, listSchedule: 9.ns, lowerBound: 9.ns)])
  }

  @Test func boundsOfManyCoresHeedHowManyThePondRunsAtATime() throws {
    let pond = Pond("boot", maxConcurrent: 1)
    for name in ["a", "b"] { pond.pebble(name) {} }

    let bounds = try pond.simulated(durations: [3, 4]).makespanBounds(workers: [4, nil])

    #expect(bounds.map(\.lowerBound) == [7.ns, 7.ns])
    #expect(bounds.map(\.listSchedule) == [7.ns, 7.ns])
  }
}

extension Int {
  fileprivate var ns: Duration { .nanoseconds(self) }
}
