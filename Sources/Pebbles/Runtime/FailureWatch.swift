import Synchronization

/// Applies the failure policy of a pond to one run.
final class FailureWatch: Sendable {
  /// Whether there is anything to watch.
  let isActive: Bool
  private let policy: FailurePolicy

  /// Failures that somebody may still handle.
  private let open = Mutex<[Int]>([])

  init(_ policy: FailurePolicy) {
    self.policy = policy
    isActive = !policy.isIgnoring
  }

  /// A pebble has failed, and what follows from that has been sent on. Calls user code.
  ///
  /// - Returns: Whether the run is to be cancelled because of it.
  func pebbleFailed(_ pebble: Int, _ storage: RunStorage) -> Bool {
    switch policy.kind {
    case .ignore: return false
    case .cancelAll:
      open.withLock { $0.append(pebble) }
      return false
    case .custom(let decide):
      guard let error = storage.error(at: pebble) else { return false }
      let failure = PebbleFailure(pebble: storage.pond.graph.names[pebble], error: error)
      return decide(failure) == .cancelAll
    }
  }

  /// Looks at the failures anew, after pebbles have settled.
  ///
  /// - Returns: A failure that nobody handles and nobody will.
  func unhandledFailure(_ storage: RunStorage) -> Int? {
    open.withLock { open in
      guard !open.isEmpty else { return nil }
      let handlings = open.map { storage.handling(ofFailure: $0) }
      if let unhandled = zip(open, handlings).first(where: { $0.1 == .none }) {
        return unhandled.0
      }
      open = zip(open, handlings).filter { $0.1 == .possible }.map(\.0)
      return nil
    }
  }
}
