import Synchronization

/// The meeting point of a callback and the runner that waits for it.
///
/// States: *open*. Can go to *awaited* (the runner came first) or *settled* (the callback did).
/// *Awaited* can go to *settled*, which wakes the runner. *Settled* is final.
final class CompletionState: Sendable {
  typealias Outcome = Result<Void, any Error>

  private enum State {
    case open
    case awaited(CheckedContinuation<Outcome, Never>)
    case settled(Outcome)
  }

  private let state = Mutex(State.open)
  private let ignored = Atomic(0)

  /// How many calls came after the one that decided.
  var ignoredCalls: Int { ignored.load(ordering: .relaxed) }

  /// Calls `body` with a completion and waits until both have ended.
  func outcome(of body: @Sendable (Completion) async throws -> Void) async throws {
    await call(body)
    try await outcome().get()
  }

  private func call(_ body: @Sendable (Completion) async throws -> Void) async {
    let completion = Completion(self)
    do {
      try await body(completion)
    } catch {
      complete(.failure(error))
    }
    // Dropped only now: an error thrown must not look like a completion abandoned.
    withExtendedLifetime(completion) {}
  }

  /// A call by the user: decides, or is counted.
  func complete(_ outcome: Outcome) {
    if !settle(outcome) { ignored.add(1, ordering: .relaxed) }
  }

  /// Decides the outcome unless that has happened.
  ///
  /// - Returns: Whether this call decided it.
  @discardableResult
  func settle(_ outcome: Outcome) -> Bool {
    let (isFirst, awaiting) = state.withLock {
      state -> (Bool, CheckedContinuation<Outcome, Never>?) in
      switch state {
      case .open:
        state = .settled(outcome)
        return (true, nil)
      case .awaited(let continuation):
        state = .settled(outcome)
        return (true, continuation)
      case .settled:
        return (false, nil)
      }
    }
    awaiting?.resume(returning: outcome)
    return isFirst
  }

  /// Waits for the outcome; ends at once, as failed, when the task is cancelled. Called once.
  private func outcome() async -> Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let settled = state.withLock { state -> Outcome? in
          switch state {
          case .open:
            state = .awaited(continuation)
            return nil
          case .settled(let outcome):
            return outcome
          case .awaited:
            preconditionFailure("a completion is awaited twice")
          }
        }
        if let settled { continuation.resume(returning: settled) }
      }
    } onCancel: {
      settle(.failure(CancellationError()))
    }
  }
}
