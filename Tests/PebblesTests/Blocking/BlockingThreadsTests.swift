import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

@Suite(.watched) struct BlockingThreadsTests {
  /// Checks that blocked threads do not hold up an unrelated task. The argument 64 exceeds the
  /// number of threads in the concurrency pool of any machine that runs this test.
  @Test(arguments: [2, 64])
  func anUnrelatedTaskGoesOnWhileAllThreadsAreBlocked(count: Int) async throws {
    let threads = BlockingThreads(limit: count)
    let roadblock = Roadblock(for: count)

    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask { try await threads.call { roadblock.hold() } }
      }
      // Nothing else opens it, so if the bodies kept this task from running, none would end.
      group.addTask {
        await roadblock.isFull.passed()
        await Task.yield()
        roadblock.open()
      }
      try await group.waitForAll()
    }
  }

  @Test func neverMoreBodiesRunThanThereMayBeThreads() async throws {
    let observed = ObservedThreads()
    let threads = BlockingThreads(limit: 3, launch: observed.launch)
    let roadblock = Roadblock(for: 3)
    let occupancy = Occupancy()
    let finished = Logbook<Int>()

    try await withThrowingTaskGroup(of: Void.self) { group in
      for body in 0..<200 {
        group.addTask {
          try await threads.call {
            occupancy.enter()
            roadblock.hold()
            occupancy.leave()
            finished.note(body)
          }
        }
      }
      await roadblock.isFull.passed()
      #expect(threads.threadCount == 3)
      roadblock.open()
      try await group.waitForAll()
    }

    #expect(occupancy.maximum == 3)
    #expect(observed.startedCount == 3)
    #expect(finished.entries.sorted() == Array(0..<200))
  }

  @Test(arguments: [(0, 1), (1, 1), (3, 3)])
  func soManyBodiesOfARunHaveAThreadAtATime(limit: Int, count: Int) {
    let threads = BlockingThreads(limit: limit)
    let run = RunIdentifier()

    let told = (0..<5).map { _ in
      threads.withAdmission { $0.add(run: run, priority: 0, Promise()).replies.count }
    }

    #expect(told == (0..<5).map { $0 < count ? 1 : 0 })
  }

  @Test func firstComeFirstServed() async throws {
    let threads = BlockingThreads(limit: 1)
    let roadblock = Roadblock(for: 1)
    let journal = Logbook<Int>()

    let first = Task(executorPreference: threads) { roadblock.hold() }
    await roadblock.isFull.passed()
    let others = (0..<100).map { number in
      Task(executorPreference: threads) { journal.note(number) }
    }
    roadblock.open()
    await first.value
    for task in others { await task.value }

    #expect(journal.entries == Array(0..<100))
  }

  @Test func threadsAreMadeOnlyWhenThereIsWork() {
    let observed = ObservedThreads()
    let threads = BlockingThreads(launch: observed.launch)

    #expect(threads.threadCount == 0)
    #expect(observed.startedCount == 0)
  }

  @Test func threadsEndWhenTheyHaveNothingToDo() async throws {
    let observed = ObservedThreads()
    let threads = BlockingThreads(limit: 1, idleTime: .zero, launch: observed.launch)

    try await threads.call {}
    await observed.firstEnd.passed()

    #expect(threads.threadCount == 0)
    try await threads.call { #expect(observed.areCurrent) }
    #expect(observed.startedCount == 2)
  }

  @Test func aThreadWithNothingToDoIsUsedAgain() async throws {
    let observed = ObservedThreads()
    let threads = BlockingThreads(limit: 1, idleTime: .seconds(Int64.max), launch: observed.launch)

    for _ in 0..<100 { try await threads.call {} }

    #expect(observed.startedCount == 1)
  }

  /// Checks that no job is lost while threads end and start. The jobs come from many tasks, in
  /// whatever order they happen to arrive.
  @Test func noJobIsLostBetweenTheEndOfAThreadAndTheNext() async throws {
    let threads = BlockingThreads(limit: 2, idleTime: .zero)
    let finished = Logbook<Int>()

    try await withThrowingTaskGroup(of: Void.self) { group in
      for caller in 0..<8 {
        group.addTask {
          for _ in 0..<250 { try await threads.call { finished.note(caller) } }
        }
      }
      try await group.waitForAll()
    }

    #expect(finished.count == 2000)
  }

  @Test(arguments: [0, -1, .min])
  func thereIsAlwaysRoomForOneThread(limit: Int) async throws {
    let threads = BlockingThreads(limit: limit, idleTime: .seconds(-1))

    #expect(try await threads.call { 1 } == 1)
  }
}

@Suite(.watched) struct BlockingThreadsWithoutThreadsTests {
  @Test func bodiesRunInThePoolIfThereCanBeNoThread() async throws {
    let threads = BlockingThreads(launch: { _ in false })

    for number in 0..<10 {
      let output = try await threads.call {
        await Task.yield()
        return number
      }
      #expect(output == number)
    }
    #expect(threads.threadCount == 0)
  }

  @Test func bodiesWaitForTheThreadsThereAreIfThereCanBeNoMore() async throws {
    let observed = ObservedThreads()
    let attempts = Mutex(0)
    let threads = BlockingThreads(
      // Longer than a busy machine keeps anyone waiting.
      limit: 2, idleTime: .seconds(60 * 60),
      launch: { body in
        let isFirst = attempts.withLock { attempts in
          attempts += 1
          return attempts == 1
        }
        return isFirst && observed.launch(body)
      })
    let roadblock = Roadblock(for: 1)

    async let first: Void = threads.call { roadblock.hold() }
    await roadblock.isFull.passed()
    let second = Task(executorPreference: threads) { observed.areCurrent }
    roadblock.open()
    try await first

    #expect(await second.value)
    #expect(attempts.withLock { $0 } == 2)
    #expect(threads.threadCount == 1)
  }
}
