import Synchronization

/// The end of a run and those who wait for it.
final class RunEnding: Sendable {
  struct End: Sendable {
    /// Nanoseconds since the start of the run.
    let time: UInt64
    /// Why the run was cancelled, if it was.
    let cancellation: RunCancellation?
  }

  private enum State {
    case running([CheckedContinuation<End, Never>])
    case ended(End)
  }

  private let state = Mutex(State.running([]))

  func runEnded(_ end: End) {
    let waiting = state.withLock { state in
      guard case .running(let waiting) = state else {
        preconditionFailure("a run ended twice")
      }
      state = .ended(end)
      return waiting
    }
    for continuation in waiting { continuation.resume(returning: end) }
  }

  /// Whether the end is known to those who wait for it.
  var isReached: Bool {
    state.withLock { if case .ended = $0 { true } else { false } }
  }

  /// Waits for the end, even if the waiting task is cancelled.
  func reached() async -> End {
    await withCheckedContinuation { continuation in
      let ended: End? = state.withLock { state in
        switch state {
        case .running(let waiting):
          state = .running(waiting + [continuation])
          return nil
        case .ended(let end):
          return end
        }
      }
      if let ended { continuation.resume(returning: ended) }
    }
  }
}
