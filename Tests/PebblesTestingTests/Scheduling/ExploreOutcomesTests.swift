import Pebbles
import PebblesTestSupport
import PebblesTesting
import Testing

/// Tests of exploring ponds whose outcomes depend on the schedule.
@Suite(.watched) struct ExploreOutcomesTests {
  @Test func aBodyThatEndsAccordingToTheOrderIsFound() async throws {
    let failure = await #expect(throws: ScheduleFailure.self) {
      try await explore(Self.racing, schedules: .exhaustive())
    }

    let problem = try #require(failure)
    #expect("\(problem)".contains("in the first schedule, under schedule \(problem.number) of"))
    #expect("\(problem)".contains("read"))
    #expect(problem.report != nil)
    let exploration = try await explore(
      Self.racing, schedules: .exhaustive(), outcomesMayDiffer: true)
    #expect(exploration.isComplete)
  }

  /// Returns a pond in which one body reads a value that another body writes, without waiting for
  /// it.
  @Sendable private static func racing(_ clock: TestClock) -> Pond {
    let value = Logbook<Int>()
    let pond = Pond("race")
    pond.pebble("write") {
      await Task.yield()
      value.note(1)
    }
    pond.pebble("read") {
      await Task.yield()
      if value.entries.isEmpty { throw Breakdown() }
    }
    return pond
  }

  @Test(arguments: [
    Schedules.exhaustive(), .random(count: 1_000, seed: 2), .pct(count: 1_000, seed: 2),
  ])
  func whatIsPrintedHasTheDifferenceAgain(_ schedules: Schedules) async throws {
    let failure = try await #require(throws: ScheduleFailure.self) {
      try await explore(Self.racing, schedules: schedules)
    }

    let printed = try #require("\(failure)".firstMatch(of: /again with: schedules: (.*)/))
    let quoted = printed.1.split(separator: "\"", omittingEmptySubsequences: false)
    try #require(quoted.count == 5, "two schedules are to be printed: \(printed.1)")
    let (first, second) = (String(quoted[1]), String(quoted[3]))
    #expect(printed.1 == ".replay(\"\(first)\", \"\(second)\")")
    #expect(!"\(failure)".contains("or with"))
    let again = try await #require(throws: ScheduleFailure.self) {
      try await explore(Self.racing, schedules: .replay(first, second))
    }
    #expect(again.number == 1)
    #expect(again.schedule == failure.schedule)
    #expect(again.reference == failure.reference)
    #expect(try difference(again) == difference(failure))
  }

  private func difference(_ failure: ScheduleFailure) throws -> String {
    guard failure.problem.kind == .outcomesDiffer else { throw Breakdown("\(failure)") }
    return "\(failure.problem)"
  }

  @Test func aBodyThatEndsAsAnotherCaseIsFound() async throws {
    let runs = Logbook<Int>()

    let failure = await #expect(throws: ScheduleFailure.self) {
      try await explore(
        { _ in
          runs.note(1)
          let isFirst = runs.entries.count == 1
          let pond = Pond("boot")
          let flip = pond.pebble("flip") { isFirst }
          _ = flip.is(true)
          return pond
        }, schedules: .replay("", ""))
    }

    let problem = try #require(failure).problem
    #expect(problem.kind == .outcomesDiffer)
    #expect(
      "\(problem)"
        == "flip succeeded with false, but succeeded with true in the first schedule")
  }

  @Test func theCasesOfBodiesMayDifferToo() async throws {
    let outcomes = Logbook<String>()

    try await explore(
      { _ in
        let arrivals = Logbook<String>()
        let pond = Pond("race")
        let isFirst = pond.pebble("isFirst") {
          await Task.yield()
          arrivals.note("isFirst")
          return arrivals.count == 1
        }
        pond.pebble("other") {
          await Task.yield()
          arrivals.note("other")
        }
        pond.pebble("won", when: isFirst.is(true)) { outcomes.note("won") }
        pond.pebble("lost", when: isFirst.is(false)) { outcomes.note("lost") }
        return pond
      }, schedules: .random(count: 100, seed: 3), outcomesMayDiffer: true)

    #expect(Set(outcomes.entries) == ["won", "lost"])
  }

  @Test func whatACancellationStillLetsStartMayDiffer() async throws {
    let outcomes = Logbook<String>()
    let pond = Pond("boot", onFailure: .cancelAll)
    pond.pebble("ping") {
      await Task.yield()
      throw Breakdown()
    }
    let first = pond.pebble("first") { await Task.yield() }
    pond.pebble("second", when: first.succeeded) { outcomes.note("ran") }

    let exploration = try await explore(pond, schedules: .exhaustive())

    #expect(exploration.isComplete)
    #expect(1..<exploration.schedules ~= outcomes.entries.count)
  }

  @Test func aCancelledRunIsNotWhatOthersAreComparedWith() async throws {
    let runs = Logbook<Int>()

    let failure = await #expect(throws: ScheduleFailure.self) {
      try await explore(
        { _ in
          runs.note(1)
          let number = runs.entries.count
          let pond = Pond("boot", onFailure: number == 1 ? .cancelAll : .ignore)
          pond.pebble("ping") { if number != 2 { throw Breakdown() } }
          return pond
        }, schedules: .replay("", "", ""))
    }

    #expect(
      "\(try #require(failure))".hasPrefix(
        "ping failed, but succeeded in schedule 1, under schedule 2 of "))
  }
}
