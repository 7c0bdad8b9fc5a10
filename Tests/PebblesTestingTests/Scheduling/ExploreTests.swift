import Pebbles
import PebblesTestSupport
import PebblesTesting
import Synchronization
import Testing

/// Tests of exploring operations that do not run a pond.
@Suite(.watched) struct ExploreTests {
  @Test func everyOrderOfChildTasksIsTried() async throws {
    let orders = Logbook<[Int]>()

    let exploration = try await explore(schedules: .exhaustive()) { _ in
      orders.note(await Self.orderOfChildTasks())
    }

    #expect(exploration.isComplete)
    #expect(exploration.isDeterministic)
    #expect(exploration.schedules == orders.entries.count)
    #expect(
      Set(orders.entries)
        == [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  }

  @Test func aLimitIsKeptAndSaid() async throws {
    let exploration = try await explore(schedules: .exhaustive(limit: 5)) { _ in
      _ = await Self.orderOfChildTasks()
    }

    #expect(exploration.schedules == 5)
    #expect(!exploration.isComplete)
    #expect("\(exploration)".hasPrefix("5 schedules of up to "))
  }

  @Test(arguments: [
    Schedules.random(count: 30, seed: 5), .pct(count: 30, depth: 3, seed: 5),
    .exhaustive(limit: 20),
  ])
  func sameSeedSameSchedules(_ schedules: Schedules) async throws {
    let (first, second) = (Logbook<[Int]>(), Logbook<[Int]>())

    for orders in [first, second] {
      try await explore(schedules: schedules) { _ in orders.note(await Self.orderOfChildTasks()) }
    }

    #expect(first.entries.count >= 20)
    #expect(first.entries == second.entries)
    #expect(Set(first.entries).count > 1)
  }

  @Test func theSeedOfAFailureHasItAgain() async throws {
    func explore(_ schedules: Schedules) async throws -> ScheduleFailure {
      try await #require(throws: ScheduleFailure.self) {
        try await PebblesTesting.explore(schedules: schedules) { _ in
          if await Self.orderOfChildTasks() == [2, 1, 0] { throw Breakdown("reversed") }
        }
      }
    }

    let failure = try await explore(.random(count: 1_000, seed: 3))
    #expect(failure.problem.kind == .threw)
    #expect(failure.problem.error as? Breakdown == Breakdown("reversed"))

    let again = try await explore(.random(count: 1, seed: #require(failure.seed)))
    #expect(again.number == 0)
    #expect(again.schedule == failure.schedule)
    #expect("\(failure)".hasPrefix("reversed, under schedule \(failure.number) of .random("))
    #expect("\(failure)".contains(".replay(\"\(failure.schedule)\")"))
    #expect(try await explore(.replay(failure.schedule)).schedule == failure.schedule)
  }

  @Test(arguments: [true, false])
  func aFailureOfAScheduleThatDepartedFromThePreviousOneMayNotRepeat(_ departs: Bool) async throws {
    let orders = Logbook<[Int]>()

    let failure = await #expect(throws: ScheduleFailure.self) {
      try await explore(schedules: .exhaustive()) { _ in
        let isFirst = orders.entries.isEmpty
        if isFirst || !departs { orders.note(await Self.orderOfChildTasks()) }
        if !isFirst { throw Breakdown() }
      }
    }

    #expect(failure?.number == 1)
    #expect(failure?.isDeterministic == !departs)
  }

  @Test func timePassesWhenNothingElseCanGoOn() async throws {
    let clock = TestClock()
    clock.advance(by: .seconds(1))

    let exploration = try await explore(schedules: .random(count: 3), clock: clock) { clock in
      let start = clock.now
      #expect(start.offset == .seconds(1))
      try await clock.sleep(for: .seconds(1_000_000))
      #expect(start.duration(to: clock.now) == .seconds(1_000_000))
    }

    #expect(exploration.isDeterministic)
  }

  @Test(arguments: [(Timers.whenIdle, ["work", "sleep"]), (.anytime, ["sleep", "work"])])
  func timeMayPassWhileOthersCouldGoOn(_ timers: Timers, _ expected: [String]) async throws {
    let orders = Logbook<[String]>()

    try await explore(schedules: .exhaustive(), timers: timers) { clock in
      let order = Logbook<String>()
      await withTaskGroup { group in
        group.addTask {
          try? await clock.sleep(for: .seconds(1))
          order.note("sleep")
        }
        group.addTask {
          for _ in 0..<3 { await Task.yield() }
          order.note("work")
        }
      }
      orders.note(order.entries)
    }

    #expect(orders.entries.contains(expected))
    #expect(orders.entries.contains(["sleep", "work"]) == (timers == .anytime))
  }

  @Test func whatNeverEndsIsFound() async throws {
    let failure = await #expect(throws: ScheduleFailure.self) {
      try await explore(schedules: .random(count: 3), patience: .milliseconds(10)) { _ in
        try await untilCancelled()
      }
    }

    #expect("\(try #require(failure))".hasPrefix("it would never end: nothing can go on"))
  }

  @Test func whatGoesOnForEverIsGivenUp() async throws {
    let failure = await #expect(throws: ScheduleFailure.self) {
      try await explore(schedules: .random(count: 3), stepLimit: 100) { _ in
        while !Task.isCancelled { await Task.yield() }
      }
    }

    #expect("\(try #require(failure))".hasPrefix("it has not ended after 100 steps"))
    #expect(failure?.problem.kind == .tooManySteps)
  }

  @Test func anAdvanceOfTheClockIsAStep() async throws {
    let polls = Logbook<Int>()

    let failure = await #expect(throws: ScheduleFailure.self) {
      try await explore(schedules: .replay(""), stepLimit: 100) { clock in
        while (try? await clock.sleep(for: .seconds(1))) != nil { polls.note(1) }
      }
    }

    #expect("\(try #require(failure))".hasPrefix("it has not ended after 100 steps"))
    #expect(failure?.problem.kind == .tooManySteps)
    #expect(45...50 ~= polls.entries.count)
  }

  /// Checks that advancing the clock is cheap if no code runs on another thread. The test would
  /// take minutes if the explorer waited before each advance.
  @Test func whereNothingIsElsewhereAnAdvanceIsCheap() async throws {
    let exploration = try await explore(schedules: .random(count: 2)) { clock in
      for _ in 0..<20_000 { try await clock.sleep(for: .seconds(1)) }
    }

    #expect(exploration.mostSteps > 40_000)
    #expect(exploration.isDeterministic)
  }

  @Test func cancellingTheTaskEndsTheExploration() async throws {
    let isRunning = Gate()
    let task = Task {
      try await explore(
        schedules: .random(count: 1_000_000), stepLimit: .max, patience: .seconds(600)
      ) { clock in
        isRunning.open()
        while !Task.isCancelled { try? await clock.sleep(for: .seconds(1)) }
      }
    }
    await isRunning.passed()

    task.cancel()

    await #expect(throws: CancellationError.self) { try await task.value }
  }

  /// Returns the order in which three child tasks run.
  private static func orderOfChildTasks() async -> [Int] {
    let order = Logbook<Int>()
    await withTaskGroup { group in
      for number in 0..<3 { group.addTask { order.note(number) } }
    }
    return order.entries
  }
}
