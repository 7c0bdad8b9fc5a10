import Pebbles
import PebblesTestSupport
import PebblesTesting
import Testing

/// Tests that exploring finds a deliberate mistake in the order of two steps of a dispatcher.
@Suite(.watched) struct PlantedMistakeTests {
  private static let count = Thoroughness.isFull ? 2_000 : 1_000
  static let strategies: [Schedules] = [
    .random(count: count, seed: 1), .exhaustive(limit: 100_000),
    .pct(count: count, depth: 3, seed: 1),
  ]

  @Test(arguments: strategies)
  func everyStrategyFindsIt(_ schedules: Schedules) async throws {
    let failure = try await #require(throws: ScheduleFailure.self) {
      try await Self.explore(schedules, hasMistake: true)
    }

    #expect(failure.problem.kind == .stuck, "\(failure)")
    // The schedule alone is enough to have it again, exactly.
    let again = try await #require(throws: ScheduleFailure.self) {
      try await Self.explore(.replay(failure.schedule), hasMistake: true)
    }
    #expect(again.schedule == failure.schedule)
    #expect(again.isDeterministic)
  }

  @Test(arguments: strategies)
  func noneFindsItWhereItIsNot(_ schedules: Schedules) async throws {
    let exploration = try await Self.explore(schedules, hasMistake: false)

    #expect(exploration.isDeterministic)
  }

  @discardableResult
  private static func explore(
    _ schedules: Schedules, hasMistake: Bool
  ) async throws -> Exploration {
    try await PebblesTesting.explore(schedules: schedules, patience: .milliseconds(50)) { _ in
      await SmallDispatcher.handover(hasMistake: hasMistake).run()
    }
  }
}
