import Synchronization

/// A value that is given once, by whichever caller comes first, and that any number of tasks wait
/// for.
final class Settlement<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?

    /// What waits; nothing once there is a value.
    var waiting: [@Sendable (Value) -> Void] = []
  }

  private let state = Mutex(State())

  /// Gives the value unless there is one.
  ///
  /// - Returns: Whether this call gave it.
  @discardableResult
  func settle(_ value: Value) -> Bool {
    let waiting = state.withLock { state -> [@Sendable (Value) -> Void]? in
      guard state.value == nil else { return nil }
      state.value = value
      defer { state.waiting = [] }
      return state.waiting
    }
    for told in waiting ?? [] { told(value) }
    return waiting != nil
  }

  /// The value, if it has been given.
  var settled: Value? { state.withLock(\.value) }

  /// Calls back with the value, at once if there is one already.
  func whenSettled(_ told: @escaping @Sendable (Value) -> Void) {
    let value = state.withLock { state in
      if state.value == nil { state.waiting.append(told) }
      return state.value
    }
    if let value { told(value) }
  }

  /// Waits for the value, whether or not the waiting task is cancelled.
  func value() async -> Value {
    await withCheckedContinuation { continuation in
      whenSettled { continuation.resume(returning: $0) }
    }
  }
}
