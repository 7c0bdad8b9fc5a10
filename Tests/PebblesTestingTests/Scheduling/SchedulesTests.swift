import Pebbles
import PebblesAnalysis
import PebblesTestSupport
import PebblesTesting
import Testing

/// Tests of schedules that are invalid, or that do not fit the explored operation.
@Suite(.watched) struct SchedulesTests {
  @Test(arguments: [
    (Schedules.random(count: 0), ".random(count: 0, seed: 0) tries no schedule"),
    (.random(count: .min, seed: .max), "tries no schedule"),
    (.exhaustive(limit: -1), ".exhaustive(limit: -1) tries no schedule"),
    (.pct(count: 0), "tries no schedule"),
    (.pct(depth: 0), "the depth must be from 1 to 1000"),
    (.pct(depth: .max), "the depth must be from 1 to 1000"),
    (.replay("1.x"), ".replay(\"1.x\") is not a schedule"),
    (.replay("", "1.x"), ".replay(\"\", \"1.x\") is not a schedule"),
    (.replay(), ".replay() tries no schedule"),
    (.replay("-1"), "is not a schedule"),
    (.replay("1..2"), "is not a schedule"),
    (.replay("99999999999999999999"), "is not a schedule"),
  ])
  func whatCannotBeMeantIsAnError(_ schedules: Schedules, _ sentence: String) async throws {
    let error = await #expect(throws: ExplorationError.self) {
      try await explore(schedules: schedules) { _ in }
    }

    #expect("\(try #require(error))".contains(sentence))
  }

  @Test func schedulesAreEqualIfTheyAreTheSame() {
    #expect(Schedules.random(count: 3, seed: 1) == .random(count: 3, seed: 1))
    #expect(Schedules.random(count: 3, seed: 1) != .random(count: 3, seed: 2))
    #expect(Schedules.replay("1.2") == .replay("1.2"))
    #expect(Schedules.replay("1.2") != .replay("1.3"))
  }

  @Test func noStepsAreAnError() async {
    await #expect(throws: ExplorationError.self) {
      try await explore(schedules: .random(), stepLimit: 0) { _ in }
    }
  }

  @Test func severalSchedulesAreReplayedOneAfterTheOther() async throws {
    let orders = Logbook<[Int]>()

    let exploration = try await explore(schedules: .replay("", "2.1", "0.1")) { _ in
      let order = Logbook<Int>()
      await withTaskGroup { group in
        for number in 0..<3 { group.addTask { order.note(number) } }
      }
      orders.note(order.entries)
    }

    #expect(exploration.schedules == 3)
    #expect(orders.entries == [[0, 1, 2], [2, 1, 0], [0, 2, 1]])
  }

  @Test(arguments: ["7", "0.7", "1.0.0.0.0.0.0.0.1", "9223372036854775807"])
  func aScheduleOfSomethingElseDoesNotFit(_ schedule: String) async throws {
    let failure = await #expect(throws: ScheduleFailure.self) {
      try await explore(schedules: .replay(schedule)) { _ in
        async let first: Void = Task.yield()
        async let second: Void = Task.yield()
        _ = await (first, second)
      }
    }

    #expect("\(try #require(failure))".hasPrefix("the schedule does not fit"))
  }

  @Test func aFailureIsToldRatherThanThatTheScheduleDoesNotFit() async throws {
    let pond = Pond("boot")
    let ping = pond.pebble("ping") { throw Breakdown() }
    let schedule = Schedules.replay(String(repeating: "0.", count: 100) + "1")

    let thrown = await #expect(throws: ScheduleFailure.self) {
      try await explore(schedules: schedule) { _ in throw Breakdown("no route") }
    }
    let broken = await #expect(throws: ScheduleFailure.self) {
      try await explore(pond, schedules: schedule, laws: [.always(ping.succeeded)])
    }
    let misfit = await #expect(throws: ScheduleFailure.self) {
      try await explore(pond, schedules: schedule)
    }

    #expect(thrown?.problem.error as? Breakdown == Breakdown("no route"))
    #expect(broken?.problem.kind == .lawBroken)
    #expect(misfit?.problem.kind == .replayDoesNotFit)
    #expect(misfit?.report != nil)
  }

  @Test func theEmptyScheduleIsFirstComeFirstServed() async throws {
    let order = Logbook<Int>()

    let exploration = try await explore(schedules: .replay("")) { _ in
      await withTaskGroup { group in
        for number in 0..<5 { group.addTask { order.note(number) } }
      }
    }

    #expect(order.entries == [0, 1, 2, 3, 4])
    #expect(exploration.schedules == 1)
  }
}
