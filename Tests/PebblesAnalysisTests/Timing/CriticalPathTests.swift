import Pebbles
import PebblesDurable
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of critical paths by example.
@Suite(.watched) struct CriticalPathTests {
  @Test func andWaitsForItsLastOperand() throws {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    let ping = pond.pebble("ping") {}
    pond.pebble("show", when: load.completed && ping.completed) {}

    let timing = try pond.simulated(durations: [30, 10, 5]).timing()

    #expect(timing.criticalPath.steps.map(\.name) == ["load", "show"])
    #expect(timing.criticalPath.steps.map(\.waitedFor) == [.start, .dependency])
    #expect(timing.criticalPath.duration == .nanoseconds(35))
    #expect(timing.criticalPath.bottleneck?.name == "load")
    #expect(timing.pebbles.map(\.slack) == [.zero, .nanoseconds(20), .zero])
    #expect(timing.pebbles.map(\.isOnCriticalPath) == [true, false, true])
    #expect(
      timing.criticalPath.description == """
        longest chain: 35 ns of 35 ns
          load    30 ns
          show     5 ns
        """)
  }

  @Test func ofStepsThatTookEquallyLongTheFirstIsTheBottleneck() throws {
    let pond = Pond("boot")
    let first = pond.pebble("first") {}
    let second = pond.pebble("second", when: first.succeeded) {}
    pond.pebble("third", when: second.succeeded) {}

    let path = try pond.simulated(durations: [9, 10, 10]).criticalPath()

    #expect(path.bottleneck?.name == "second")
  }

  @Test func chainToAPebbleEndsWithIt() throws {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    let show = pond.pebble("show", when: load.succeeded) {}
    let offline = pond.pebble("offline", when: load.failed) {}
    pond.pebble("tidyUp", when: show.succeeded) {}

    let run = try pond.simulated(durations: [30, 5, 1, 100])

    #expect(try run.criticalPath().steps.map(\.name) == ["load", "show", "tidyUp"])
    let ready = try run.criticalPath(to: show)
    #expect(ready.steps.map(\.name) == ["load", "show"])
    #expect(ready.duration == .nanoseconds(35))
    #expect(ready.makespan == .nanoseconds(135))
    let skipped = try run.criticalPath(to: offline)
    #expect(skipped.steps.map(\.name) == ["load", "offline"])
    #expect(skipped.steps.last?.duration == .zero)
    #expect(try run.timing().criticalPath(to: load).steps.map(\.name) == ["load"])
    #expect(throws: UnknownPebbleError.self) { try run.criticalPath(to: .named("nobody")) }
  }

  @Test func chainToTheLastOneIsThatOfTheRun() async throws {
    let pond = Pond("boot")
    let first = pond.pebble("first") {}
    let last = pond.pebble("last", when: first.succeeded) {}
    let report = try await pond.run()

    #expect(try report.criticalPath(to: last) == report.criticalPath())
    #expect(try report.criticalPath(to: last) == report.recorded().criticalPath(to: last))
    let stranger = Pond("elsewhere").pebble("last") {}
    #expect(throws: UnknownPebbleError.self) { try report.criticalPath(to: stranger) }
  }

  @Test func chainToAPebbleOfAReportHeedsTheMainActor() throws {
    let pond = Pond("boot")
    let pebbles = ["a", "b"].map { pond.pebble($0) {} }
    let scheduler = try Scheduler(pond)
    for pebble in [0, 1] { try scheduler.start(pebble, at: .zero) }
    try scheduler.settle(0, succeeded: true, at: .nanoseconds(6))
    try scheduler.settle(1, succeeded: true, at: .nanoseconds(10))
    let report = try #require(scheduler.report)

    #expect(try report.criticalPath(to: pebbles[1]).steps.map(\.name) == ["b"])
    let onMain = try report.criticalPath(to: pebbles[1], mainActor: pebbles)
    #expect(onMain.steps.map(\.name) == ["a", "b"])
  }

  @Test func timesThatContradictTheirCausesDoNotLeadRoundInACycle() throws {
    let pond = Pond("boot")
    let first = pond.pebble("first") {}
    pond.pebble("second", when: first.succeeded) {}
    func record(_ name: String, until finished: Int) -> RecordedPebble {
      RecordedPebble(
        name: name, outcome: .succeeded, ready: .zero, started: .nanoseconds(5),
        finished: .nanoseconds(finished))
    }
    let run = try RecordedRun(
      model: pond.model(), pebbles: [record("first", until: 100), record("second", until: 50)],
      makespan: .nanoseconds(100))

    let path = try run.criticalPath(mainActor: [.named("first"), .named("second")])

    #expect((1...2).contains(path.steps.count))
  }

  @Test func pathAddsUpAlsoIfTimesContradictTheirCauses() throws {
    let pond = Pond("boot")
    let first = pond.pebble("first") {}
    pond.pebble("second", when: first.succeeded) {}
    let steady = try pond.simulated(durations: [50, 50])
    // It began before what it waited for had ended.
    let run = try RecordedRun(
      model: pond.model(),
      pebbles: [("first", 50), ("second", 90)].map { name, end in
        RecordedPebble(
          name: name, outcome: .succeeded, ready: .zero, started: .zero,
          finished: .nanoseconds(end))
      }, makespan: .nanoseconds(100))

    let path = try run.criticalPath()

    #expect(path.steps.map(\.duration) == [.nanoseconds(50), .nanoseconds(40)])
    #expect(path.steps.map(\.finished) == [.nanoseconds(50), .nanoseconds(90)])
    #expect(path.duration == .nanoseconds(90))
    #expect(try run.compared(to: steady).gapDifference == .nanoseconds(10))
  }

  @Test func orWaitsForItsFirstTrueOperand() throws {
    let pond = Pond("boot")
    let slow = pond.pebble("slow") {}
    let quick = pond.pebble("quick") {}
    pond.pebble("show", when: slow.succeeded || quick.succeeded) {}

    let timing = try pond.simulated(durations: [20, 5, 40]).timing()

    #expect(timing.criticalPath.steps.map(\.name) == ["quick", "show"])
    #expect(timing.pebbles.map(\.slack) == [.nanoseconds(25), .zero, .zero])
  }

  @Test func columnsStayApartHoweverLongAStepTook() throws {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    pond.pebble("show", when: load.succeeded) {}

    let timing = try pond.simulated(durations: [1_234_567_890_000_000_000, 5]).timing()

    #expect(
      timing.criticalPath.description == """
        longest chain: 1234567890 s of 1234567890 s
          load 1234567890 s
          show         5 ns
        """)
  }

  @Test func limitWaitsForTheOneThatGaveBack() throws {
    let pond = Pond("boot")
    pond.pebble("seed", .exclusive("database")) {}
    pond.pebble("migrate", .exclusive("database")) {}
    pond.pebble("other") {}

    let timing = try pond.simulated(durations: [10, 20, 12]).timing()

    #expect(timing.criticalPath.steps.map(\.waitedFor) == [.start, .limit])
    #expect(timing[1].waitForLimit == .nanoseconds(10))
    #expect(timing[1].waitForRunner == .zero)
    #expect(timing[0].slack == .zero)
    #expect(
      timing.criticalPath.description == """
        longest chain: 30 ns of 30 ns
          seed       10 ns
          migrate    20 ns  for a limit, until seed ended
        """)
    #expect(
      timing.blame.description == """
            20 ns  migrate  (waited 10 ns for a limit, on the longest chain)
            12 ns  other  (could have taken 18 ns longer)
            10 ns  seed  (on the longest chain)
        """)
  }

  @Test func placesAmongTheRunningAreALimit() throws {
    let pond = Pond("boot", maxConcurrent: 2)
    for name in ["a", "b", "c"] { pond.pebble(name) {} }

    let timing = try pond.simulated(durations: [5, 3, 4]).timing()

    #expect(timing.criticalPath.steps.map(\.name) == ["b", "c"])
    #expect(timing[2].waitForLimit == .nanoseconds(3))
    #expect(timing[0].slack == .nanoseconds(2))
  }

  @Test func waitingForNobodyIsNotALimit() throws {
    let pond = Pond("boot", maxConcurrent: 3)
    let a = pond.pebble("a") {}
    pond.pebble("b", when: a.succeeded) {}
    let run = try pond.simulated(durations: [5, 3]).replacing(1) {
      RecordedPebble(
        name: $0.name, outcome: $0.outcome, ready: .nanoseconds(5), started: .nanoseconds(7),
        finished: .nanoseconds(10), decidedBy: 0)
    }

    let timing = try run.timing()

    #expect(timing[1].waitForRunner == .nanoseconds(2))
    #expect(timing.criticalPath.steps[1].delay == .nanoseconds(2))
    #expect(timing[0].slack == .zero)
  }

  @Test func mainActorIsWaitedForInsideTheBody() throws {
    let pond = Pond("boot")
    for name in ["a", "b", "c"] { pond.pebble(name) {} }
    let run = try pond.simulated(durations: [6, 10, 20])

    let timing = try run.timing(mainActor: [.named("a"), .named("b")])

    #expect(timing[1].waitForMainActor == .nanoseconds(6))
    #expect(timing[1].duration == .nanoseconds(4))
    #expect(timing[2].waitForMainActor == .zero)
    #expect(try run.timing()[1].waitForMainActor == .zero)
  }

  @Test func whatHoldsTheMainActorOnTheLongestChainHasNoSlack() throws {
    let pond = Pond("boot")
    for name in ["a", "b"] { pond.pebble(name) {} }
    let run = try pond.simulated(durations: [6, 10])

    let timing = try run.timing(mainActor: [.named("a"), .named("b")])

    #expect(timing.criticalPath.steps.map(\.name) == ["a", "b"])
    #expect(timing.pebbles.map(\.slack) == [.zero, .zero])
    #expect(try run.timing().pebbles.map(\.slack) == [.nanoseconds(4), .zero])
  }

  @Test func mainActorOfASimulationIsWaitedForBeforeTheStart() throws {
    let pond = Pond("boot")
    for name in ["a", "b"] { pond.pebble(name) {} }
    let run = try pond.simulated(durations: [6, 10]) { $0.mainActor = [0, 1] }

    let timing = try run.timing(mainActor: [.named("a"), .named("b")])

    #expect(timing[1].waitForMainActor == .nanoseconds(6))
    #expect(timing[1].waitForLimit == .zero)
    #expect(timing.criticalPath.steps.map(\.waitedFor) == [.start, .mainActor])
    #expect(
      timing.criticalPath.description == """
        longest chain: 16 ns of 16 ns
          a     6 ns
          b    10 ns  for the main actor, until a ended
        """)
    #expect(
      timing.blame.description == """
            10 ns  b  (waited 6 ns for the main actor, on the longest chain)
             6 ns  a  (on the longest chain)
        """)
  }

  @Test func skippedPebblesHaveTheirPlaceOnThePath() throws {
    let pond = Pond("boot")
    let ping = pond.pebble("ping") {}
    let login = pond.pebble("login", when: ping.succeeded) {}
    pond.pebble("offline", when: login.skipped) {}

    let timing = try pond.simulated(durations: [8, 0, 2]) { $0.failures = [0: "no"] }.timing()

    #expect(timing.criticalPath.steps.map(\.name) == ["ping", "login", "offline"])
    #expect(timing.criticalPath.steps.map(\.duration) == [.nanoseconds(8), .zero, .nanoseconds(2)])
    #expect(timing.criticalPath.steps.map { $0.skipName != nil } == [false, true, false])
    #expect(
      timing.criticalPath.description == """
        longest chain: 10 ns of 10 ns
          ping        8 ns
          login       0 ns  blocked
          offline     2 ns
        """)
  }

  @Test func stallWaitsForTheLastToEnd() throws {
    let pond = Pond("boot")
    let a = pond.pebble("a") {}
    let b = pond.pebble("b", when: a.succeeded) {}
    pond.pebble("quick") {}
    pond.pebble("slow") {}
    pond.pebble("after", when: b.skipped) {}
    a.ready = b.succeeded

    let timing = try pond.simulated(durations: [0, 0, 3, 9, 4]).timing()

    #expect(timing.criticalPath.steps.map(\.name) == ["slow", "b", "after"])
    #expect(timing.criticalPath.steps.map(\.waitedFor) == [.start, .stall, .dependency])
    #expect(timing[2].slack == .nanoseconds(6))
    #expect(timing[3].slack == .zero)
  }

  @Test func pondWithoutBodiesHasNoPath() throws {
    let path = try Pond("empty").simulated().criticalPath()

    #expect(path.steps.isEmpty && path.bottleneck == nil)
    #expect(path.description == "longest chain: 0 ns of 0 ns")
  }

  @Test func utilizationCountsBodiesAtWork() throws {
    let pond = Pond("boot")
    let a = pond.pebble("a") {}
    let b = pond.pebble("b") {}
    pond.pebble("c", when: a.succeeded && b.succeeded) {}
    let run = try pond.simulated(durations: [4, 2, 2]).replacing(2) {
      RecordedPebble(
        name: $0.name, outcome: $0.outcome, ready: .nanoseconds(4), started: .nanoseconds(6),
        finished: .nanoseconds(8), decidedBy: 0)
    }

    let utilization = RecordedRun(
      unchecked: run.model, pebbles: run.pebbles, makespan: .nanoseconds(10))

    let result = try utilization.timing().utilization
    #expect(result.work == .nanoseconds(8))
    #expect(result.average == 0.8)
    #expect(result.peak == 2)
    #expect(result.idle == .nanoseconds(4))
  }

  @Test func aBodyThatBeginsAsAnotherEndsIsNotAtWorkBesideIt() throws {
    let pond = Pond("boot")
    let first = pond.pebble("first") {}
    pond.pebble("second", when: first.succeeded) {}

    let utilization = try pond.simulated(durations: [4, 2]).timing().utilization

    #expect(utilization.peak == 1)
    #expect(utilization.idle == .zero)
  }

  @Test func realReportHasAPathThatAddsUp() async throws {
    let pond = Pond("boot")
    let a = pond.pebble("a") {}
    let b = pond.pebble("b", when: a.succeeded) {}
    let c = pond.pebble("c", when: b.succeeded) { throw Breakdown() }

    let report = try await pond.run()
    let path = try report.criticalPath()
    let onMain = try report.timing(mainActor: [a, c])

    #expect(path.steps.map(\.name) == ["a", "b", "c"])
    #expect(path.steps.reduce(.zero) { $0 + $1.delay + $1.duration } == path.duration)
    #expect(onMain.criticalPath.steps.count == 3)
  }

  @Test func hostileNamesStayOnTheirLines() throws {
    let pond = Pond("boot")
    pond.pebble("a\nb\u{202E}" + String(repeating: "x", count: 500)) {}

    let timing = try pond.simulated(durations: [1]).timing()

    #expect(timing.criticalPath.description.split(separator: "\n").count == 2)
    #expect(timing.blame.description.split(separator: "\n").count == 1)
    #expect(timing.blame.description.count < 200)
  }
}
