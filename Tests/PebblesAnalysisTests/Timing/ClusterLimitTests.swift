import Pebbles
import Testing

@testable import PebblesAnalysis

/// Tests of the effect that the limits of clusters have on statements about times.
@Suite struct ClusterLimitTests {
  private let run: RecordedRun

  init() throws {
    let loads = Pond("loads", maxConcurrent: 1)
    for name in ["a", "b", "c"] { loads.pebble(name) {} }
    let pond = Pond("boot")
    _ = pond.add(loads, as: "loads")
    pond.pebble("beside") {}
    run = try pond.simulated(durations: [3, 4, 5, 6])
  }

  @Test func limitHoldsWhateverElseIsLimited() throws {
    #expect(run.makespan == .nanoseconds(12))

    let bounds = try run.makespanBounds(workers: [1, 4, nil])

    #expect(bounds.map(\.listSchedule) == [18, 12, 12].map { .nanoseconds($0) })
    #expect(bounds.map(\.lowerBound) == [18, 12, 12].map { .nanoseconds($0) })
    #expect(try run.whatIf([.workers(4)]).makespan == run.makespan)
    let onMain = try run.makespanBounds(workers: [nil], mainActor: [.named("beside")])
    #expect(onMain[0].listSchedule == run.makespan)
  }

  @Test func waitingForAPlaceInAClusterIsWaitingForALimit() throws {
    let timing = try run.timing()

    let last = try #require(timing.pebbles.first { $0.name == "loads/c" })
    #expect(last.waitForLimit == .nanoseconds(7))
    #expect(last.waitForRunner == .zero)
    #expect(timing.pebbles.allSatisfy { $0.waitForRunner == .zero })
    let path = try run.criticalPath()
    #expect(path.steps.map(\.name) == ["loads/a", "loads/b", "loads/c"])
    #expect(path.steps.map(\.waitedFor) == [.start, .limit, .limit])
  }
}
