/// The failures that a pebble may still handle.
///
/// Each failure is stored with one of the pebbles that may handle it, and is examined again only if
/// that pebble is skipped. Examining all failures whenever a pebble settles would take quadratic
/// time.
package struct OpenFailures: Sendable {
  private struct Failure {
    let number: Int
    let pebble: Int
  }

  private var awaiting: [UInt32: [Failure]] = [:]
  private var failureCount = 0
  private var handlers: FailureHandlers?

  package init() {}

  /// Returns whether the failure of a pebble is handled, without adding the failure.
  package mutating func handling(
    ofFailure pebble: Int, in state: ReadinessState
  ) -> FailureHandling {
    var handlers = handlers.take() ?? FailureHandlers(state.network)
    defer { self.handlers = handlers }
    return handlers.handling(ofFailure: pebble, in: state)
  }

  /// Adds the failure of a pebble, unless it is already known whether another pebble handles it.
  ///
  /// - Returns: `false` if the failure is unhandled; `true` if a pebble handles the failure or may
  ///   still handle it.
  package mutating func add(_ pebble: Int, in state: ReadinessState) -> Bool {
    failureCount += 1
    return keep(Failure(number: failureCount, pebble: pebble), state)
  }

  /// Re-examines the failures that the skipped pebbles might have handled.
  ///
  /// - Returns: A pebble whose failure can no longer be handled, or `nil` if there is no such
  ///   pebble. If there are several such pebbles, the result is the one that was added first.
  package mutating func pebblesSkipped(_ pebbles: [UInt32], in state: ReadinessState) -> Int? {
    if awaiting.isEmpty { return nil }
    var unhandled: [Failure] = []
    for pebble in pebbles {
      for failure in awaiting.removeValue(forKey: pebble) ?? [] where !keep(failure, state) {
        unhandled.append(failure)
      }
    }
    return unhandled.min { $0.number < $1.number }?.pebble
  }

  // A runner marks a pebble as skipped before it calls `pebblesSkipped`. So if this function does
  // not see the skip, `pebblesSkipped` finds the failure.
  private mutating func keep(_ failure: Failure, _ state: ReadinessState) -> Bool {
    switch handling(ofFailure: failure.pebble, in: state) {
    case .handled:
      return true
    case .mayBeHandled(let handler):
      awaiting[UInt32(handler), default: []].append(failure)
      return true
    case .unhandled:
      return false
    }
  }
}
