import Synchronization

/// A value that is supplied at most once, by the first call to `fulfill(_:)`. Any number of tasks
/// can wait for the value.
final class Promise<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?

    /// The handlers, keyed by the number that `whenFulfilled(_:)` returned; empty once the promise
    /// is fulfilled.
    var waiting: [Int: @Sendable (Value) -> Void] = [:]
    var waitsSoFar = 0
  }

  private let state = Mutex(State())

  /// Fulfills the promise with a value, unless it has already been fulfilled.
  ///
  /// - Returns: Whether this call fulfilled the promise.
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

  /// The value; `nil` if the promise has not been fulfilled.
  var fulfilled: Value? { state.withLock(\.value) }

  /// Calls `handler` with the value: immediately if the promise has already been fulfilled,
  /// otherwise as soon as the promise is fulfilled.
  ///
  /// - Returns: A number that identifies the handler when it is removed with `forget(_:)`.
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

  /// Removes a handler that was passed to `whenFulfilled(_:)`, so that it is not called. Has no
  /// effect if the promise has already been fulfilled.
  func forget(_ number: Int) {
    let forgotten = state.withLock { $0.waiting.removeValue(forKey: number) }
    withExtendedLifetime(forgotten) {}
  }

  /// Waits for the value and returns it. Continues to wait even if the waiting task is cancelled.
  func value() async -> Value {
    await withCheckedContinuation { continuation in
      whenFulfilled { continuation.resume(returning: $0) }
    }
  }
}
