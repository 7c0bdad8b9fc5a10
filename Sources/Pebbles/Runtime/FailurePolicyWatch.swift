import Synchronization

/// A watch that applies the failure policy of a pond to one run.
package final class FailurePolicyWatch: Sendable {
  /// Whether the policy can cancel the run.
  package let isActive: Bool
  private let policy: FailurePolicy
  private let open = Mutex(OpenFailures())

  package init(_ policy: FailurePolicy) {
    self.policy = policy
    isActive = !policy.isIgnoring
  }

  /// Applies the policy to a failed pebble. Call this method only after the consequences of the
  /// failure have been decided. It may call user code.
  ///
  /// - Parameters:
  ///   - pebble: The failed pebble.
  ///   - storage: The state of the run.
  ///   - known: The decision that a custom policy made in an earlier process; `nil` if there is no
  ///     such decision.
  ///   - handler: A function that receives the decision if a custom policy makes a new one.
  /// - Returns: Whether to cancel the run because of the failure.
  package func pebbleFailed(
    _ pebble: Int, _ storage: RunStorage, known: FailureDecision? = nil,
    handler: (FailureDecision) -> Void = { _ in }
  ) -> Bool {
    switch policy {
    case .ignore:
      return false
    case .cancelAll:
      return open.withLock { !$0.add(pebble, in: storage.state) }
    case .custom(let decide):
      guard let error = storage.values.error(at: pebble) else { return false }
      let handling = open.withLock { $0.handling(ofFailure: pebble, in: storage.state) }
      let failure = PebbleFailure(
        pebble: storage.pond.graph.names[pebble], error: error,
        mayBeHandled: handling != .unhandled)
      let decision = known ?? decide(failure)
      if known == nil { handler(decision) }
      switch decision {
      case .goOn: return false
      case .cancelAll: return true
      case .cancelUnlessHandled: return open.withLock { !$0.add(pebble, in: storage.state) }
      }
    }
  }

  /// Checks whether all open failures can still be handled after pebbles have been skipped. One of
  /// the skipped pebbles may have been the last that could handle a failure.
  ///
  /// - Returns: A pebble whose failure can no longer be handled, or `nil` if there is no such
  ///   pebble. If there are several, the result is the pebble that failed first.
  package func pebblesSkipped(_ pebbles: [UInt32], _ storage: RunStorage) -> Int? {
    if pebbles.isEmpty { return nil }
    return open.withLock { $0.pebblesSkipped(pebbles, in: storage.state) }
  }
}
