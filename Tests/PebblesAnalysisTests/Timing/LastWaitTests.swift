import Pebbles
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of the last wait of a pebble, in runs with given times.
@Suite(.watched) struct LastWaitTests {
  /// Returns a run in which every pebble has succeeded. A pebble was ready at the time given in
  /// `ready`, or else when it started.
  private static func run(
    _ pond: Pond, _ times: [(started: Int64, finished: Int64)], ready: [Int: Int64] = [:]
  ) throws -> RecordedRun {
    let model = try pond.model()
    let pebbles = times.enumerated().map { position, times in
      RecordedPebble(
        name: model.names[position], outcome: .succeeded,
        ready: .nanoseconds(ready[position] ?? times.started),
        started: .nanoseconds(times.started), finished: .nanoseconds(times.finished))
    }
    return RecordedRun(
      unchecked: model, pebbles: pebbles,
      makespan: .nanoseconds(times.map(\.finished).max() ?? 0))
  }

  @Test func eachPebbleWaitsForTheOneThatDecidedIt() throws {
    let pond = Pond("boot")
    let first = pond.pebble("first") {}
    pond.pebble("second", when: first.succeeded) {}

    let waits = try pond.simulated(durations: [1, 1]).lastWaits()

    #expect(waits.awaited == [-1, 0])
    #expect(waits.kinds == [.start, .dependency])
    #expect(waits.last == 1)
  }

  @Test func aRunThatSkipsSomethingInTheEndEndsWithItsLastBody() throws {
    let pond = Pond("boot")
    let first = pond.pebble("first") {}
    pond.pebble("offline", when: first.failed) {}

    let path = try pond.simulated(durations: [5]).criticalPath()

    #expect(path.steps.map(\.name) == ["first"])
  }

  @Test func aStallWaitsForTheLastBodyByTheClockEvenIfTheRecordContradictsItself() throws {
    let pond = Pond("stalled")
    let first = pond.pebble("first") {}
    pond.pebble("second", when: first.succeeded) {}
    let stuck = pond.pebble("stuck") {}
    stuck.ready = stuck.succeeded
    let waiting = RecordedPebble(
      name: "stuck", outcome: .skipped(.stalled(waitingOn: ["stuck"])), finished: .nanoseconds(12))
    func waits(_ second: (Int64, Int64)) throws -> LastWaits {
      try Self.run(pond, [(0, 10), second, (0, 12)]).replacing(2) { _ in waiting }.lastWaits()
    }

    #expect(try waits((10, 11)).awaited == [-1, 0, 1])
    #expect(try waits((10, 5)).awaited == [-1, -1, 0])
    #expect(try waits((10, 5)).kinds.last == .stall)
  }

  @Test func theMainActorMayBeHeldByTheVeryFirst() throws {
    let pond = Pond("main")
    let pebbles = ["first", "second"].map { pond.pebble($0) {} }
    let run = try Self.run(pond, [(0, 10), (2, 12)], ready: [1: 0])

    let path = try run.criticalPath(mainActor: pebbles)

    #expect(path.steps.map(\.name) == ["first", "second"])
    #expect(path.steps.map(\.waitedFor) == [.start, .mainActor])
  }

  @Test func whatStartsAsItBecomesReadyHasNotWaitedForALimit() throws {
    let pond = Pond("limited")
    let cause = pond.pebble("cause") {}
    pond.pebble("other", .exclusive("disk")) {}
    pond.pebble("last", .exclusive("disk"), when: cause.succeeded) {}

    let atOnce = try Self.run(pond, [(0, 5), (0, 5), (5, 6)]).criticalPath()
    let later = try Self.run(pond, [(0, 5), (0, 6), (6, 7)], ready: [2: 5]).criticalPath()

    #expect(atOnce.steps.map(\.name) == ["cause", "last"])
    #expect(atOnce.steps.map(\.waitedFor) == [.start, .dependency])
    #expect(later.steps.map(\.name) == ["other", "last"])
    #expect(later.steps.map(\.waitedFor) == [.start, .limit])
  }

  @Test(arguments: [(5, 8, "net"), (8, 5, "disk")] as [(Int64, Int64, String)])
  func ofSeveralLimitsTheOneThatCameLastIsWaitedFor(
    disk: Int64, net: Int64, last: String
  ) throws {
    let pond = Pond("limited")
    pond.pebble("disk", .uses("disk", of: 1)) {}
    pond.pebble("net", .uses("net", of: 1)) {}
    pond.pebble("both", .uses("disk"), .uses("net")) {}

    let path = try Self.run(pond, [(0, disk), (0, net), (8, 9)], ready: [2: 0]).criticalPath()

    #expect(path.steps.map(\.name) == [last, "both"])
    #expect(path.steps.map(\.waitedFor) == [.start, .limit])
  }

  /// Checks that the pebble that occupied the main actor is searched among the last 64 that ended
  /// before, regardless of the number of pebbles that had used the main actor much earlier.
  @Test(arguments: [(0, true), (63, true), (64, false)])
  func theHolderOfTheMainActorIsSoughtAmongTheLastSixtyFour(
    between: Int, isFound: Bool
  ) throws {
    let pond = Pond("main")
    let before = (0..<70).map { (Int64($0), Int64($0 + 1)) }
    let after = (0..<between).map { (Int64(90 + $0), Int64(1_001 + $0)) }
    let times = before + [(70, 1_000)] + after + [(80, 2_000)]
    let pebbles = times.indices.map { pond.pebble("p\($0)") {} }
    let last = try #require(pebbles.last)

    let path = try Self.run(pond, times).criticalPath(to: last, mainActor: pebbles)

    #expect(path.steps.map(\.name).suffix(2).first == (isFound ? "p70" : last.name))
  }

  @Test func timeInWhichNobodyWaitedForAPebbleGivesNoSlack() throws {
    let pond = Pond("boot")
    let first = pond.pebble("first") {}
    pond.pebble("second", when: first.succeeded) {}

    let timing = try Self.run(pond, [(0, 0), (5, 6)], ready: [1: 0]).timing()

    #expect(timing.pebbles.map(\.slack) == [.zero, .zero])
  }

  @Test(arguments: [(capacity: 1, isLimit: true), (capacity: 2, isLimit: false)])
  func unitsThatWereFreeAllTheTimeAreNotWaitedFor(capacity: Int, isLimit: Bool) throws {
    let pond = Pond("limited")
    for name in ["first", "second"] { pond.pebble(name, .uses("disk", of: capacity)) {} }

    let timing = try Self.run(pond, [(0, 5), (10, 12)], ready: [1: 0]).timing()

    #expect((timing[1].waitForLimit == .zero) == !isLimit)
    #expect(timing[1].waitForRunner == .nanoseconds(isLimit ? 0 : 10))
  }

  @Test func aBodyThatTakesNoTimeIsAtWorkAllTheSame() throws {
    let pond = Pond("quick")
    for name in ["first", "second"] { pond.pebble(name) {} }

    let use = try Self.run(pond, [(0, 0), (3, 3)]).timing().utilization

    #expect(use.peak == 1)
    #expect(use.work == .zero && use.idle == .nanoseconds(3))
  }

  // MARK: Bounds

  @Test func aScarceResourceBoundsARunByAllThatIsNeededOfIt() throws {
    let pond = Pond("limited")
    for name in ["a", "b"] { pond.pebble(name, .uses("disk", 2, of: 3)) {} }
    pond.pebble("c", .uses("disk", 1)) {}

    let bounds = try pond.simulated(durations: [3, 4, 7]).makespanBounds(workers: [nil])

    #expect(bounds.map(\.lowerBound) == [.nanoseconds(7)])
    let longer = try pond.simulated(durations: [6, 8, 2]).makespanBounds(workers: [nil])
    #expect(longer.map(\.lowerBound) == [.nanoseconds(10)])
    #expect(longer.map(\.listSchedule) == [.nanoseconds(14)])
  }

  @Test func aReportIsAskedForOneTwoFourAndAnyNumberOfCores() async throws {
    let pond = Pond("boot")
    pond.pebble("a") {}

    let report = try await pond.run()

    #expect(try report.makespanBounds().map(\.workers) == [1, 2, 4, nil])
    #expect(try report.recorded().makespanBounds().map(\.workers) == [1, 2, 4, nil])
  }
}
