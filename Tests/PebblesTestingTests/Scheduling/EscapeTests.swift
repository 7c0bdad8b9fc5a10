import Dispatch
import Pebbles
import PebblesTestSupport
import PebblesTesting
import Testing

/// Tests of code that leaves the thread of a schedule.
@Suite(.watched) struct EscapeTests {
  enum Escape: CaseIterable {
    case detachedTask, unstructuredTask, mainActor, queue, otherExecutor, realSleep

    func go() async throws {
      // What has ended before it is waited for does not come back from elsewhere, and nobody can
      // tell. So it ends only after this has suspended: before that no other job has a turn.
      let (isWaitedFor, thread) = (Gate(), Roadblock(for: 1))
      async let suspension: Void = {
        isWaitedFor.open()
        thread.open()
      }()
      switch self {
      case .detachedTask: await Task.detached { await isWaitedFor.passed() }.value
      case .unstructuredTask: await Task { await isWaitedFor.passed() }.value
      case .mainActor: await MainActor.run {}
      case .queue:
        await withCheckedContinuation { continuation in
          DispatchQueue.global().async {
            thread.hold()
            continuation.resume()
          }
        }
      case .otherExecutor:
        await withTaskExecutorPreference(globalConcurrentExecutor) { await Self.nothing() }
      case .realSleep: try await Task.sleep(for: .milliseconds(1))
      }
      await suspension
    }

    @concurrent private static func nothing() async {}
  }

  @Test(arguments: Escape.allCases)
  func itIsWaitedForAndSaid(_ escape: Escape) async throws {
    let exploration = try await explore(
      schedules: .random(count: 20), patience: .seconds(600)
    ) { _ in try await escape.go() }

    #expect(exploration.schedules == 20)
    #expect(!exploration.isDeterministic)
    #expect("\(exploration)".hasSuffix("this may not repeat: something ran elsewhere"))
  }

  @Test func timeDoesNotPassBeforeItHasComeBack() async throws {
    try await explore(schedules: .random(count: 5)) { clock in
      let didTimePass = await withTaskGroup { group in
        group.addTask { (try? await clock.sleep(for: .seconds(1))) != nil }
        group.addTask {
          await MainActor.run {}
          return false
        }
        defer { group.cancelAll() }
        return await group.next() ?? true
      }
      #expect(!didTimePass)
    }
  }

  @Test func whatEscapesAfterAQuietBeginningIsWaitedForToo() async throws {
    let schedules = Logbook<Int>()

    try await explore(schedules: .random(count: 5), grace: .seconds(600)) { clock in
      schedules.note(1)
      guard schedules.entries.count > 3 else { return }
      let didTimePass = await withTaskGroup { group in
        group.addTask { (try? await clock.sleep(for: .seconds(1))) != nil }
        group.addTask { await Task.detached { false }.value }
        defer { group.cancelAll() }
        return await group.next() ?? true
      }
      #expect(!didTimePass)
    }
  }

  @Test func inTheEndTheClockAdvancesAlthoughSomethingIsUnderWayElsewhere() async throws {
    let exploration = try await explore(
      schedules: .random(count: 5), patience: .seconds(600), grace: .milliseconds(1)
    ) { clock in
      let gate = Gate()
      async let isBack: Void = Task.detached { await gate.passed() }.value
      try await clock.sleep(for: .seconds(1))
      gate.open()
      await isBack
    }

    #expect(!exploration.isDeterministic)
  }

  /// Checks that a sleep on another thread is noticed at once. If it were noticed only after the
  /// patience has run out, the test would exceed its time limit.
  @Test func whoFallsAsleepElsewhereIsNoticedAtOnce() async throws {
    let exploration = try await explore(
      schedules: .random(count: 5), patience: .seconds(600)
    ) { clock in
      try await Task.detached { try await clock.sleep(for: .seconds(1)) }.value
    }

    #expect(!exploration.isDeterministic)
  }

  @Test func whoPollsElsewhereForEverIsGivenUp() async throws {
    let failure = await #expect(throws: ScheduleFailure.self) {
      try await explore(
        schedules: .random(count: 3), stepLimit: 50, patience: .seconds(600),
        grace: .milliseconds(1)
      ) { clock in
        let polling = Task.detached {
          while (try? await clock.sleep(for: .seconds(1))) != nil {}
        }
        await withTaskCancellationHandler {
          await polling.value
        } onCancel: {
          polling.cancel()
        }
      }
    }

    #expect("\(try #require(failure))".hasPrefix("it has not ended after 50 steps"))
  }

  /// Checks that an operation is given up if a task on another thread keeps starting short sleeps,
  /// so that the clock never advances.
  @Test func whoOnlyDozesElsewhereForEverIsGivenUp() async throws {
    let failure = await #expect(throws: ScheduleFailure.self) {
      try await explore(
        schedules: .random(count: 3), stepLimit: 10, patience: .seconds(600), grace: .seconds(600)
      ) { clock in
        let dozing = Task.detached {
          while !Task.isCancelled {
            let nap = Task { try? await clock.sleep(for: .seconds(1)) }
            await clock.asleep(1)
            nap.cancel()
            await nap.value
          }
        }
        await withTaskCancellationHandler {
          await dozing.value
        } onCancel: {
          dozing.cancel()
        }
      }
    }

    #expect("\(try #require(failure))".hasPrefix("it has not ended after 10 steps"))
  }

  @Test func whatIsLeftBehindGoesOnElsewhere() async throws {
    let gates = [Gate(), Gate()]
    let isDone = Logbook<Int>()
    let all = Gate()

    let exploration = try await explore(schedules: .exhaustive()) { _ in
      for gate in gates {
        // Not awaited, and held up until the schedule is long over.
        Task {
          await gate.passed()
          isDone.note(1)
          if isDone.entries.count == 2 { all.open() }
        }
      }
    }
    for gate in gates { gate.open() }
    await all.passed()

    #expect(exploration.schedules == 1)
  }

  @Test func childTasksActorsAndStreamsStay() async throws {
    actor Counter {
      var count = 0
      func add() async {
        await Task.yield()
        count += 1
      }
    }

    let exploration = try await explore(schedules: .random(count: 20, seed: 9)) { clock in
      let counter = Counter()
      let (stream, continuation) = AsyncStream<Int>.makeStream()
      async let sum = stream.reduce(0, +)
      await withTaskGroup { group in
        for number in 0..<5 {
          group.addTask {
            await counter.add()
            try? await clock.sleep(for: .seconds(number))
            continuation.yield(number)
          }
        }
      }
      continuation.finish()
      #expect(await sum == 10)
      #expect(await counter.count == 5)
    }

    #expect(exploration.isDeterministic)
  }
}
