import Synchronization

/// A clock that stands still, and on which everybody sleeps until a test rings.
final class RingingClock: Clock, Sendable {
  typealias Instant = ManualClock.Instant

  private struct State {
    var isRinging = false
    var sleepers: [AsyncStream<Never>.Continuation] = []
  }

  private let state = Mutex(State())
  private let sleeper = Gate()

  var now: Instant { Instant(offset: .zero) }
  var minimumResolution: Duration { .nanoseconds(1) }

  /// Ends every sleep, also those that begin later.
  func ring() {
    let sleepers = state.withLock { state in
      state.isRinging = true
      return state.sleepers
    }
    for sleeper in sleepers { sleeper.finish() }
  }

  /// Waits until somebody sleeps.
  func hasSleeper() async {
    await sleeper.passed()
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let (stream, sleeping) = AsyncStream<Never>.makeStream()
    let isRinging = state.withLock { state in
      state.sleepers.append(sleeping)
      return state.isRinging
    }
    if isRinging { sleeping.finish() }
    sleeper.open()
    for await _ in stream {}
    try Task.checkCancellation()
  }
}
