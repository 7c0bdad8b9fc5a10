import Synchronization

/// Which runs are awaited inside of which others, so that a run that would have to wait for itself,
/// directly or through others, is found before it does.
///
/// One lock for all runs of the process: of several that close a circle at the same time, one must
/// see all the others. It is taken only by those who wait inside of a run.
final class RunWaits: Sendable {
  private static let shared = RunWaits()

  /// Those who wait for a run.
  private let waiters = Mutex<[ObjectIdentifier: [Parent]]>([:])

  private init() {}

  /// The asking task is about to wait for a run.
  ///
  /// - Returns: What to hand to `end(_:for:)` when it no longer does.
  /// - Throws: ``PondError`` if it would wait for itself.
  static func begin(for awaited: Dispatcher) throws(PondError) -> Parent? {
    guard let waiter = Parent.current else { return nil }
    guard shared.add(waiter, for: awaited) else {
      throw PondError(
        pondName: awaited.program.pond.graph.pondName, faults: [.waitsForItself])
    }
    return waiter
  }

  static func end(_ waiter: Parent?, for awaited: Dispatcher) {
    guard let waiter else { return }
    shared.waiters.withLock { waiters in
      let identifier = ObjectIdentifier(awaited)
      guard
        let index = waiters[identifier]?.firstIndex(where: {
          $0.dispatcher === waiter.dispatcher && $0.pebble == waiter.pebble
        })
      else { return }
      waiters[identifier]?.remove(at: index)
      if waiters[identifier]?.isEmpty == true { waiters[identifier] = nil }
    }
  }

  /// - Returns: Whether that closed no circle.
  private func add(_ waiter: Parent, for awaited: Dispatcher) -> Bool {
    waiters.withLock { waiters in
      // From the one who begins to wait back to all who wait for it.
      var known: Set<ObjectIdentifier> = []
      var pending = [waiter]
      while let next = pending.popLast() {
        guard next.isAwaited else { continue }
        if next.dispatcher === awaited { return false }
        let identifier = ObjectIdentifier(next.dispatcher)
        guard known.insert(identifier).inserted else { continue }
        pending += waiters[identifier, default: []]
        if let parent = next.dispatcher.parent { pending.append(parent) }
      }
      waiters[ObjectIdentifier(awaited), default: []].append(waiter)
      return true
    }
  }
}
