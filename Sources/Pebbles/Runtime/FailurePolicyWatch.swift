import Synchronization

/// Applies the failure policy of a pond to one run.
package final class FailurePolicyWatch: Sendable {
  /// Whether there is anything to watch.
  package let isActive: Bool
  private let policy: FailurePolicy
  private let open = Mutex(OpenFailures())

  package init(_ policy: FailurePolicy) {
    self.policy = policy
    isActive = !policy.isIgnoring
  }

  /// A pebble has failed, and what follows from that has been decided. Calls user code.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - storage: What the run has come to.
  ///   - known: What a policy of the user's has said of it in an earlier process.
  ///   - told: Called with what it says now.
  /// - Returns: Whether the run is to be cancelled because of it.
  package func pebbleFailed(
    _ pebble: Int, _ storage: RunStorage, known: FailureDecision? = nil,
    told: (FailureDecision) -> Void = { _ in }
  ) -> Bool {
    switch policy.kind {
    case .ignore:
      return false
    case .cancelAll:
      return open.withLock { !$0.add(pebble, storage) }
    case .custom(let decide):
      guard let error = storage.values.error(at: pebble) else { return false }
      let handling = open.withLock { $0.handling(ofFailure: pebble, storage) }
      let failure = PebbleFailure(
        pebble: storage.pond.graph.names[pebble], error: error,
        mayBeHandled: handling != .unhandled)
      let decision = known ?? decide(failure)
      if known == nil { told(decision) }
      switch decision {
      case .goOn: return false
      case .cancelAll: return true
      case .cancelUnlessHandled: return open.withLock { !$0.add(pebble, storage) }
      }
    }
  }

  /// Pebbles have been skipped, which may have been the last to handle a failure.
  ///
  /// - Returns: The first failure that no pebble handles or will.
  package func pebblesSkipped(_ pebbles: [UInt32], _ storage: RunStorage) -> Int? {
    if pebbles.isEmpty { return nil }
    return open.withLock { $0.pebblesSkipped(pebbles, storage) }
  }
}

/// Failures that a pebble may still handle.
///
/// Each is kept with one pebble that may, and looked at again only if that pebble is skipped: to
/// look at all of them whenever anything settles would be quadratic.
private struct OpenFailures {
  private struct Failure {
    let number: Int
    let pebble: Int
  }

  private var awaiting: [UInt32: [Failure]] = [:]
  private var failureCount = 0
  private var handlers: FailureHandlers?

  mutating func handling(ofFailure pebble: Int, _ storage: RunStorage) -> FailureHandling {
    var handlers = handlers.take() ?? FailureHandlers(storage.pond.network)
    defer { self.handlers = handlers }
    return handlers.handling(ofFailure: pebble, in: storage.state)
  }

  /// - Returns: Whether a pebble handles the failure or may still do so.
  mutating func add(_ pebble: Int, _ storage: RunStorage) -> Bool {
    failureCount += 1
    return keep(Failure(number: failureCount, pebble: pebble), storage)
  }

  mutating func pebblesSkipped(_ pebbles: [UInt32], _ storage: RunStorage) -> Int? {
    if awaiting.isEmpty { return nil }
    var unhandled: [Failure] = []
    for pebble in pebbles {
      for failure in awaiting.removeValue(forKey: pebble) ?? [] where !keep(failure, storage) {
        unhandled.append(failure)
      }
    }
    return unhandled.min { $0.number < $1.number }?.pebble
  }

  // A runner stores that it skips a pebble before it calls `pebblesSkipped`: so either it is seen
  // here to have been skipped, or the failure is found there.
  private mutating func keep(_ failure: Failure, _ storage: RunStorage) -> Bool {
    switch handling(ofFailure: failure.pebble, storage) {
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
