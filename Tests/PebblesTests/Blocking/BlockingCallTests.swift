import PebblesTestSupport
import Testing

@testable import Pebbles

@Suite(.watched) struct BlockingCallTests {
  private let observed = ObservedThreads()
  private let threads: BlockingThreads

  init() {
    threads = BlockingThreads(launch: observed.launch)
  }

  @Test func aBodyRunsOnTheThreadsFromItsBeginning() async throws {
    #expect(try await threads.call { observed.areCurrent })
  }

  @Test func aBodyThatStaysWithItsCallerRunsOnTheThreadsToo() async throws {
    let body: nonisolated(nonsending) @Sendable () async throws -> Bool = { observed.areCurrent }

    #expect(try await threads.call(body))
  }

  @Test @MainActor func theCallerMayBeOnTheMainActor() async throws {
    let body: nonisolated(nonsending) @Sendable () async throws -> Bool = { [observed] in
      observed.areCurrent
    }

    #expect(try await threads.call(body))
    MainActor.assertIsolated()
  }

  @Test func aBodyComesBackToTheThreadsAfterAwaiting() async throws {
    let gate = Gate()

    async let areCurrent = threads.call {
      await gate.passed()
      return observed.areCurrent
    }
    gate.open()

    #expect(try await areCurrent)
  }

  @Test(arguments: [false, true])
  func inACancelledTaskABodyIsCalledOnlyIfItAlwaysIs(isAlways: Bool) async throws {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return isAlways
        ? try await threads.call(always: true) { true } : try await threads.call { true }
    }

    switch await task.result {
    case .success: #expect(isAlways)
    case .failure(let error): #expect(!isAlways && error is CancellationError)
    }
  }

  @Test func childrenOfABodyRunOnTheThreads() async throws {
    let areCurrent = try await threads.call {
      async let first = observed.areCurrent
      async let second = observed.areCurrent
      return await (first, second)
    }

    #expect(areCurrent == (true, true))
  }

  @Test func theCallerIsNotOnTheThreadsAfterwards() async throws {
    try await threads.call {}

    #expect(!observed.areCurrent)
  }

  @Test func aBodyOfTheMainActorRunsThere() async throws {
    try await threads.call { @MainActor in
      MainActor.assertIsolated()
      #expect(!observed.areCurrent)
    }
  }

  @Test func anErrorIsPassedOn() async {
    await #expect(throws: Breakdown("no disk")) {
      try await threads.call { throw Breakdown("no disk") }
    }
  }

  @Test func cancellationReachesTheBody() async throws {
    let began = Gate()
    let cancelled = Gate()

    let caller = Task {
      try await threads.call {
        await withTaskCancellationHandler {
          began.open()
          await cancelled.passed()
        } onCancel: {
          cancelled.open()
        }
        return Task.isCancelled
      }
    }
    await began.passed()
    caller.cancel()

    #expect(try await caller.value)
  }

  @Test func taskLocalValuesReachTheBody() async throws {
    let value = try await Self.$value.withValue(3) {
      try await threads.call { Self.value }
    }

    #expect(value == 3)
  }

  @TaskLocal private static var value = 0
}
