import Pebbles
import PebblesDurable
import PebblesTestSupport
import Testing

@testable import PebblesAnalysis

/// Tests of the differences between two runs, and of the pebbles that changed the makespan.
@Suite(.watched) struct RunComparisonTests {
  @Test func whatIsSlowerOnTheCriticalPathMovedTheMakespan() throws {
    let before = try boot().simulated(durations: [200, 100, 50, 10])
    let after = try boot().simulated(durations: [230, 150, 40, 10])

    let comparison = try after.compared(to: before)

    #expect(comparison.makespanDifference == .nanoseconds(30))
    #expect(comparison.makespanMovers.map(\.name) == ["load"])
    #expect(comparison.makespanMovers.map(\.makespanShare) == [.nanoseconds(30)])
    #expect(comparison.slower.map(\.name) == ["cores", "load"])
    #expect(comparison.slower.map(\.difference) == [.nanoseconds(50), .nanoseconds(30)])
    #expect(comparison.slower[0].ratio == 1.5)
    #expect(comparison.faster.map(\.name) == ["ping"])
  }

  @Test func anotherCriticalPathTakesOverFromTheFirst() throws {
    let before = try boot().simulated(durations: [200, 100, 50, 10])
    let after = try boot().simulated(durations: [100, 250, 50, 10])

    let comparison = try after.compared(to: before)

    #expect(comparison.makespanMovers.map(\.name) == ["cores", "load"])
    #expect(
      comparison.makespanMovers.map(\.makespanShare) == [.nanoseconds(250), .nanoseconds(-200)])
    #expect(comparison.makespanMovers.map(\.criticalBefore) == [nil, .nanoseconds(200)])
  }

  @Test func sharesAndGapsAddUpToTheDifference() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<300 {
      let pond = ReferencePond.random(
        mostPebbles: 10, using: &generator
      ).definedPond()
      let count = try pond.model().count
      let runs = try (0..<2).map { _ in
        try pond.simulated(
          durations: (0..<count).map { _ in UInt64.random(in: 0...100, using: &generator) })
      }

      let comparison = try runs[1].compared(to: runs[0])

      let shares = comparison.pebbles.map(\.makespanShare).reduce(.zero, +)
      #expect(shares + comparison.gapDifference == comparison.makespanDifference)
    }
  }

  @Test func aPebbleThatWasKeptIsNeitherFasterNorSlower() throws {
    let whole = try boot().simulated(durations: [200, 100, 50, 10])
    let resumed = try boot().simulated(durations: [200, 100, 50, 10]) { $0.kept = [1: "4f1c"] }

    let comparisons = [
      try resumed.compared(to: whole), try whole.compared(to: resumed),
    ]

    for comparison in comparisons {
      #expect(comparison.slower.isEmpty && comparison.faster.isEmpty)
      #expect(comparison.pebbles[1].difference == nil && comparison.pebbles[1].ratio == nil)
      #expect(comparison.pebbles[0].ratio == 1)
    }
  }

  @Test func newAndVanishedPebblesAreToldByName() throws {
    let old = Pond("boot")
    old.pebble("load") {}
    old.pebble("migrate") {}
    let new = Pond("boot")
    new.pebble("warm") {}
    new.pebble("load") {}

    let comparison = try new.simulated(durations: [30, 10])
      .compared(to: old.simulated(durations: [10, 20]))

    #expect(comparison.pebbles.map(\.name) == ["warm", "load", "migrate"])
    #expect(comparison.new.map(\.name) == ["warm"])
    #expect(comparison.vanished.map(\.name) == ["migrate"])
    #expect(comparison.slower.isEmpty && comparison.faster.isEmpty)
    #expect(
      comparison.makespanMovers.map(\.makespanShare) == [.nanoseconds(30), .nanoseconds(-20)])
  }

  @Test func theMainActorIsHeldInBothRuns() throws {
    let pond = Pond("boot")
    let pebbles = ["first", "second"].map { pond.pebble($0) {} }
    let before = try pond.simulated(durations: [6, 10])
    let after = try pond.simulated(durations: [7, 12])

    let comparison = try after.compared(to: before, mainActor: pebbles)

    #expect(comparison.pebbles.map(\.criticalBefore) == [.nanoseconds(6), .nanoseconds(4)])
    #expect(comparison.pebbles.map(\.criticalAfter) == [.nanoseconds(7), .nanoseconds(5)])
  }

  @Test func theMainActorIsHeldInTheRunsOfReports() throws {
    let pond = Pond("boot")
    let pebbles = ["first", "second"].map { pond.pebble($0) {} }
    func report(_ ends: Int64...) throws -> Report {
      let scheduler = try Scheduler(pond)
      for pebble in ends.indices { try scheduler.start(pebble, at: .zero) }
      for (pebble, end) in ends.enumerated() {
        try scheduler.settle(pebble, succeeded: true, at: .nanoseconds(end))
      }
      return try #require(scheduler.report)
    }
    let (before, after) = (try report(6, 10), try report(7, 12))

    for comparison in [
      try after.compared(to: before, mainActor: pebbles),
      try after.compared(to: before.recorded(), mainActor: pebbles),
    ] {
      #expect(comparison.pebbles.map(\.criticalBefore) == [.nanoseconds(6), .nanoseconds(4)])
      #expect(comparison.pebbles.map(\.criticalAfter) == [.nanoseconds(7), .nanoseconds(5)])
    }
  }

  @Test func outcomesThatChangedAreTold() async throws {
    let before = try boot().simulated(durations: [1, 1, 1, 1])
    let after = try boot().simulated(durations: [1, 1, 1, 1]) { $0.failures = [0: "refused"] }

    let comparison = try after.compared(to: before)

    #expect(comparison.changedOutcomes.map(\.name) == ["load", "show"])
    #expect(comparison.changedOutcomes.map(\.difference) == [.zero, nil])
  }

  @Test func anotherCaseOfTheSameOutcomeIsAChange() throws {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    _ = load.failed("locked") { _ in false }
    func run(_ places: Int...) throws -> RecordedRun {
      try pond.simulated {
        $0.failures = [0: "no"]
        $0.cases[0] = places.reduce(into: CaseSet()) { $0.insert(place: $1) }
      }
    }

    #expect(try run().compared(to: run(0)).changedOutcomes.map(\.name) == ["load"])
    #expect(try run(0).compared(to: run()).changedOutcomes.map(\.name) == ["load"])
    #expect(try run(0).compared(to: run(0)).changedOutcomes.isEmpty)
  }

  @Test func anotherOrderOfTheCasesIsNoChange() throws {
    func run(_ cases: String...) throws -> RecordedRun {
      let pond = Pond("boot")
      let load = pond.pebble("load") {}
      for name in cases { _ = load.failed(name) { _ in false } }
      return try pond.simulated {
        $0.failures = [0: "no"]
        $0.cases[0] = cases.indices.reduce(into: CaseSet()) { $0.insert(place: $1) }
      }
    }

    let comparison = try run("full", "locked").compared(to: run("locked", "full"))

    #expect(comparison.pebbles[0].after?.cases.count == 2)
    #expect(comparison.changedOutcomes.isEmpty)
  }

  @Test func aPebbleThatFailedBothTimesIsNotSaidToHaveNewlyFailed() throws {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    _ = load.failed("locked") { _ in false }
    var locked = CaseSet()
    locked.insert(place: 0)
    func run(_ cases: CaseSet) throws -> RecordedRun {
      try pond.simulated {
        $0.failures = [0: "no"]
        $0.cases[0] = cases
      }
    }

    let text = try run(locked).compared(to: run(CaseSet())).description

    #expect(text.contains("ended otherwise\n  load: failed (no)"))
    #expect(!text.contains("newly failed"))
  }

  @Test func onlyAGoalThatWasReachedBeforeIsLost() throws {
    let (boot, withGoal) = (Pond("boot"), Pond("boot"))
    boot.pebble("load") {}
    withGoal.goal = withGoal.pebble("load") {}.succeeded
    let without = try boot.simulated()
    let reached = try withGoal.simulated()
    let missed = try withGoal.simulated { $0.failures = [0: "refused"] }

    #expect(try missed.missedGoal != nil)
    #expect(try missed.compared(to: reached).lostGoal == missed.missedGoal)
    for before in [without, missed] {
      #expect(try missed.compared(to: before).lostGoal == nil)
    }
    #expect(try reached.compared(to: missed).lostGoal == nil)
    #expect(try without.compared(to: reached).lostGoal == nil)
  }

  @Test func aRunIsNotDifferentFromItself() async throws {
    let run = try await boot().run().recorded()

    let comparison = try run.compared(to: run)

    #expect(comparison.makespanDifference == .zero)
    #expect(comparison.makespanMovers.isEmpty && comparison.slower.isEmpty)
    #expect(comparison.faster.isEmpty && comparison.changedOutcomes.isEmpty)
    #expect(comparison.new.isEmpty && comparison.vanished.isEmpty)
    #expect(!comparison.description.contains("\n"))
  }

  @Test func reportsAreComparedLikeTheirRecords() async throws {
    let pond = boot()
    let (before, after) = (try await pond.run(), try await pond.run())

    let text = try after.compared(to: before).description

    #expect(try after.compared(to: before.recorded()).description == text)
  }

  @Test func theDescriptionIsATable() throws {
    let milliseconds: UInt64 = 1_000_000
    let old = boot()
    old.pebble("gone") {}
    let new = boot()
    new.pebble("fresh") {}
    let before = try old.simulated(durations: [210, 100, 150, 10, 1].map { $0 * milliseconds })
    let after = try new.simulated(durations: [290, 140, 50, 10, 1].map { $0 * milliseconds }) {
      $0.failures = [2: "refused"]
    }

    let text = try after.compared(to: before).description

    #expect(
      text == """
        boot: 220 ms before, 300 ms after (+80.0 ms, +36.4%)

        ✗ newly failed
          ping: succeeded in 150 ms before, failed (refused) in 50.0 ms after

        only in the later run
          fresh: succeeded in 1.00 ms

        only in the earlier run
          gone: succeeded in 1.00 ms

        moved the makespan       before      after     change
          load                   210 ms     290 ms   +80.0 ms  +38.1%

        also slower              before      after     change
          cores                  100 ms     140 ms   +40.0 ms  +40.0%
        """)
  }

  @Test func aPebbleIsSaidOnceWhereverItStands() throws {
    let milliseconds: UInt64 = 1_000_000
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    let save = pond.pebble("save to disk", when: load.succeeded) {}
    pond.pebble("show", when: save.succeeded) {}
    pond.pebble("offline", when: load.failed) {}
    pond.pebble("ping") {}
    let before = try pond.simulated(durations: [200, 100, 50, 10, 40].map { $0 * milliseconds })
    let after = try pond.simulated(durations: [100, 100, 50, 10, 400].map { $0 * milliseconds }) {
      $0.failures = [0: "no route"]
    }

    let text = try after.compared(to: before).description

    #expect(
      text == """
        boot: 350 ms before, 400 ms after (+50.0 ms, +14.3%)

        ✗ newly failed
          load: succeeded in 200 ms before, failed (no route) in 100 ms after

        ⊘ newly blocked
          "save to disk": succeeded in 100 ms before, blocked after
          show: succeeded in 50.0 ms before, blocked after

        ended otherwise
          offline: not needed before, succeeded in 10.0 ms after

        moved the makespan       before      after     change
          ping                        –     400 ms    +400 ms  off the longest chain before: 40.0 ms
          those named above      350 ms       0 ns    −350 ms  −100.0%
        """)
    for name in try pond.model().names {
      #expect(text.ranges(of: name).count == 1, "\(name)")
    }
  }

  @Test func longTablesAreCutAndDifferencesBeyondAllBoundsAreTold() throws {
    let pond = Pond("boot")
    for number in 0..<100 { pond.pebble("pebble \(number)\n") {} }
    let before = try pond.simulated(durations: Array(repeating: 1, count: 100))
    let after = try pond.simulated(durations: (0..<100).map { $0 == 0 ? .max : .max / 2 })

    let text = try after.compared(to: before).description

    #expect(text.contains("over a million times"))
    #expect(text.contains("… and 79 more"))
    #expect(text.split(separator: "\n").count < 40)
  }

  private func boot() -> Pond {
    let pond = Pond("boot")
    let load = pond.pebble("load") {}
    let cores = pond.pebble("cores") {}
    pond.pebble("ping") {}
    pond.pebble("show", when: load.succeeded && cores.succeeded) {}
    return pond
  }
}
