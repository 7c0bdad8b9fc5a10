import Synchronization

/// A value that is given once, by whichever caller comes first, and that any number of tasks wait
/// for.
final class Settlement<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?

    /// The tasks that wait; none once there is a value.
    var waiting: [CheckedContinuation<Value, Never>] = []
  }

  private let state = Mutex(State())

  /// Gives the value unless there is one.
  ///
  /// - Returns: Whether this call gave it.
  @discardableResult
  func settle(_ value: Value) -> Bool {
    let waiting = state.withLock { state -> [CheckedContinuation<Value, Never>]? in
      guard state.value == nil else { return nil }
      state.value = value
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting ?? [] { continuation.resume(returning: value) }
    return waiting != nil
  }

  /// The value, if it has been given.
  var settled: Value? { state.withLock(\.value) }

  /// Waits for the value, whether or not the waiting task is cancelled.
  func value() async -> Value {
    await withCheckedContinuation { continuation in
      let value = state.withLock { state in
        if state.value == nil { state.waiting.append(continuation) }
        return state.value
      }
      if let value { continuation.resume(returning: value) }
    }
  }
}
