import Dispatch
import PebblesTestSupport
import Synchronization
import Testing

@testable import Pebbles

/// Tests of a callback that is called a second time while the first call is still under way.
@Suite(.watched) struct SecondCallTests {
  /// Checks a second success that arrives just before the task of the pebble continues. The run has
  /// not given up the callback.
  @Test func aSecondSuccessUndoesNothing() async throws {
    let undone = Logbook<String>()
    let state = CompletionState { undone.note("undone") }
    let kept = Logbook<Completion>()
    let executor = InterruptedExecutor()
    let pebble = Task(executorPreference: executor) { try await state.outcome(of: kept.note) }
    await executor.idle()

    executor.interruption.withLock { $0 = { state.complete(.success(())) } }
    state.complete(.success(()))
    try await pebble.value

    #expect(state.ignoredCalls == 1)
    #expect(undone.entries.isEmpty)
  }

  @Test func aSuccessAfterTheRunHasGivenItUpIsUndoneOnce() async throws {
    let undone = Logbook<String>()
    let state = CompletionState { undone.note("undone") }

    state.giveUp(Breakdown())
    state.complete(.failure(Breakdown()))
    #expect(undone.entries.isEmpty)
    state.complete(.success(()))
    state.complete(.success(()))

    #expect(state.ignoredCalls == 3)
    #expect(undone.entries == ["undone"])
  }
}

/// A task executor that calls a closure, if one is set, just before a task continues.
private final class InterruptedExecutor: TaskExecutor {
  let interruption = Mutex<(@Sendable () -> Void)?>(nil)

  private let queue = DispatchQueue(label: "executor of a test")

  /// Waits until the executor has run all jobs enqueued so far.
  func idle() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    interruption.withLock { $0.take() }?()
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
