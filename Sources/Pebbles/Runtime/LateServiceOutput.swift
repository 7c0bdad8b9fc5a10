import Synchronization

/// What a service hands over whose body was given up before it was ready, from whatever thread. It
/// is undone once: when the body ends, or right away if it has ended.
final class LateServiceOutput: Sendable {
  private enum State: Sendable {
    case nothing
    case kept(AnyOutput?)
    case bodyEnded
  }

  private let state = Mutex(State.nothing)

  /// - Returns: Whether the end of the body will take the output; otherwise the body has ended.
  func keep(_ output: AnyOutput?) -> Bool {
    state.withLock { state in
      if case .bodyEnded = state { return false }
      state = .kept(output)
      return true
    }
  }

  /// - Returns: What was handed over before the body ended; `nil` if nothing was.
  func bodyEnded() -> AnyOutput?? {
    state.withLock { state in
      defer { state = .bodyEnded }
      return if case .kept(let output) = state { .some(output) } else { nil }
    }
  }
}
