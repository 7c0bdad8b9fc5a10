import Synchronization

/// A value that is given once, by whoever comes first, and that one task waits for.
///
/// States: *open*. Can go to *awaited* (the one who waits came first) or *settled* (the value did).
/// *Awaited* can go to *settled*, which wakes the one who waits. *Settled* is final.
final class Settlement<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, Never>)
    case settled(Value)
  }

  private let state = Mutex(State.open)

  /// Gives the value unless there is one.
  ///
  /// - Returns: Whether this call gave it.
  @discardableResult
  func settle(_ value: Value) -> Bool {
    let (isFirst, awaiting) = state.withLock {
      state -> (Bool, CheckedContinuation<Value, Never>?) in
      switch state {
      case .open:
        state = .settled(value)
        return (true, nil)
      case .awaited(let continuation):
        state = .settled(value)
        return (true, continuation)
      case .settled:
        return (false, nil)
      }
    }
    awaiting?.resume(returning: value)
    return isFirst
  }

  /// The value, if it has been given.
  var settled: Value? {
    state.withLock { state in
      if case .settled(let value) = state { value } else { nil }
    }
  }

  /// Waits for the value, whether or not the waiting task is cancelled. Called once.
  func value() async -> Value {
    await withCheckedContinuation { continuation in
      let settled = state.withLock { state -> Value? in
        switch state {
        case .open:
          state = .awaited(continuation)
          return nil
        case .settled(let value):
          return value
        case .awaited:
          preconditionFailure("a settlement is awaited twice")
        }
      }
      if let settled { continuation.resume(returning: settled) }
    }
  }
}
