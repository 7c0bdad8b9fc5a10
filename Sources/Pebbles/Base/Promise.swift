import Synchronization

/// A value that is given at most once, by the first caller that tries to give it. Any number of
/// tasks can wait for the value.
final class Promise<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?

    /// The functions that wait for the value, by number; empty once there is a value.
    var waiting: [Int: @Sendable (Value) -> Void] = [:]
    var waitsSoFar = 0
  }

  private let state = Mutex(State())

  /// Gives the value, unless it has been given already.
  ///
  /// - Returns: Whether this call gave the value.
  @discardableResult
  func fulfill(_ value: Value) -> Bool {
    let waiting = state.withLock { state -> [Int: @Sendable (Value) -> Void]? in
      guard state.value == nil else { return nil }
      state.value = value
      defer { state.waiting = [:] }
      return state.waiting
    }
    guard let waiting else { return false }
    if waiting.count == 1 {
      for handler in waiting.values { handler(value) }
    } else {
      for (_, handler) in waiting.sorted(by: { $0.key < $1.key }) { handler(value) }
    }
    return true
  }

  /// The value; `nil` if it has not been given.
  var fulfilled: Value? { state.withLock(\.value) }

  /// Calls `handler` with the value: immediately if the value has been given, otherwise when it is
  /// given.
  ///
  /// - Returns: A number to pass to `forget(_:)` if the value is no longer needed.
  @discardableResult
  func whenFulfilled(_ handler: @escaping @Sendable (Value) -> Void) -> Int {
    let (value, number) = state.withLock { state in
      state.waitsSoFar += 1
      if state.value == nil { state.waiting[state.waitsSoFar] = handler }
      return (state.value, state.waitsSoFar)
    }
    if let value { handler(value) }
    return number
  }

  /// Cancels a call of `whenFulfilled(_:)`. Its handler will not be called, unless the value has
  /// been given already.
  func forget(_ number: Int) {
    let forgotten = state.withLock { $0.waiting.removeValue(forKey: number) }
    withExtendedLifetime(forgotten) {}
  }

  /// Waits for the value, even if the waiting task is cancelled.
  func value() async -> Value {
    await withCheckedContinuation { continuation in
      whenFulfilled { continuation.resume(returning: $0) }
    }
  }
}
