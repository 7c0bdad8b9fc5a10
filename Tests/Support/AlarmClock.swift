import Synchronization

/// A clock that stands still until a test advances it, and on which tasks can sleep.
package final class AlarmClock: Clock, Sendable {
  package typealias Instant = ManualClock.Instant

  private struct Sleeper {
    let end: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [Int: Sleeper] = [:]
    var sleepCount = 0
    var watchers: [(sleeperCount: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// Removes and returns the watchers for which enough tasks are asleep.
    mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
      let isDone = watchers.partition { $0.sleeperCount <= sleepers.count }
      defer { watchers.removeSubrange(isDone...) }
      return watchers[isDone...].map(\.continuation)
    }
  }

  private let state = Mutex(State())

  /// The duration that was requested for each sleep, in the order in which the sleeps began.
  package let sleeps = Logbook<Duration>()

  package init() {}

  package var now: Instant { state.withLock { $0.now } }
  package var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until at least `count` tasks are asleep.
  package func asleep(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let watchers = state.withLock { state in
        state.watchers.append((count, continuation))
        return state.takeWatchers()
      }
      for watcher in watchers { watcher.resume() }
    }
  }

  package func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let woken = state.sleepers.filter { $0.value.end <= state.now }
      for number in woken.keys { state.sleepers[number] = nil }
      return woken.values.sorted { $0.end < $1.end }
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  package func sleep(until end: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.sleepCount += 1
      return state.sleepCount
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { fallAsleep(number, until: end, $0) }
    } onCancel: {
      let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  private func fallAsleep(
    _ number: Int, until end: Instant, _ continuation: CheckedContinuation<Void, any Error>
  ) {
    var watchers: [CheckedContinuation<Void, Never>] = []
    let result: Result<Void, any Error>? = state.withLock { state in
      // This is checked under the lock, so that a later cancellation finds the task among the
      // sleepers.
      if Task.isCancelled { return .failure(CancellationError()) }
      sleeps.note(state.now.duration(to: end))
      if end <= state.now { return .success(()) }
      state.sleepers[number] = Sleeper(end: end, continuation: continuation)
      watchers = state.takeWatchers()
      return nil
    }
    if let result { continuation.resume(with: result) }
    for watcher in watchers { watcher.resume() }
  }
}
