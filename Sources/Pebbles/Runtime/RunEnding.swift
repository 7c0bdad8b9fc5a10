import Synchronization

/// The end of a run and those who wait for it.
final class RunEnding: Sendable {
  private struct State {
    var end: RunEnd?

    /// Those who wait for it; nobody once it is known.
    var waiting: [CheckedContinuation<RunEnd, Never>] = []
  }

  private let state = Mutex(State())

  func runEnded(_ end: RunEnd) {
    let waiting = state.withLock { state in
      precondition(state.end == nil, "a run ended twice")
      defer { state.waiting = [] }
      state.end = end
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: end) }
  }

  /// Whether the end is known to those who wait for it.
  var isReached: Bool {
    state.withLock { $0.end != nil }
  }

  /// Waits for the end, even if the waiting task is cancelled.
  func reached() async -> RunEnd {
    await withCheckedContinuation { continuation in
      let ended = state.withLock { state in
        if state.end == nil { state.waiting.append(continuation) }
        return state.end
      }
      if let ended { continuation.resume(returning: ended) }
    }
  }
}
