import Synchronization

/// Which runs are awaited inside of which others, so that a run that would have to wait for itself,
/// directly or through others, is found before it does.
///
/// One lock for all runs of the process: of several that close a cycle at the same time, one must
/// see all the others. It is taken only by those who wait inside of a run.
final class SelfAwaitingRuns: Sendable {
  private static let shared = SelfAwaitingRuns()

  /// Those who wait for a run.
  private let waiters = Mutex<[ObjectIdentifier: [EnclosingBody]]>([:])

  private init() {}

  /// The asking task is about to wait for a run.
  ///
  /// - Returns: What to hand to `end(_:for:)` when it no longer does.
  /// - Throws: ``PondError`` if it would wait for itself.
  static func begin(for awaited: RunCore) throws(PondError) -> EnclosingBody? {
    guard let waiter = EnclosingBody.current else { return nil }
    guard shared.add(waiter, for: awaited) else {
      throw PondError(
        pondName: awaited.program.pond.graph.pondName, faults: [.waitsForItself])
    }
    return waiter
  }

  static func end(_ waiter: EnclosingBody?, for awaited: RunCore) {
    guard let waiter else { return }
    shared.waiters.withLock { waiters in
      let identifier = ObjectIdentifier(awaited)
      guard
        let index = waiters[identifier]?.firstIndex(where: {
          $0.core === waiter.core && $0.pebble == waiter.pebble
        })
      else { return }
      waiters[identifier]?.remove(at: index)
      if waiters[identifier]?.isEmpty == true { waiters[identifier] = nil }
    }
  }

  /// - Returns: Whether that closed no cycle.
  private func add(_ waiter: EnclosingBody, for awaited: RunCore) -> Bool {
    waiters.withLock { waiters in
      // From the one who begins to wait back to all who wait for it.
      var known: Set<ObjectIdentifier> = []
      var pending = [waiter]
      while let next = pending.popLast() {
        guard next.isAwaited else { continue }
        if next.core === awaited { return false }
        let identifier = ObjectIdentifier(next.core)
        guard known.insert(identifier).inserted else { continue }
        pending += waiters[identifier, default: []]
        if let parent = next.core.parent { pending.append(parent) }
      }
      waiters[ObjectIdentifier(awaited), default: []].append(waiter)
      return true
    }
  }
}

/// A body or a teardown of a run, as something that other runs are started or awaited in.
struct EnclosingBody: Sendable {
  let core: RunCore
  let pebble: Int
  let isTeardown: Bool

  /// The one the asking task is inside of; `nil` outside of runs, and in a task that has outlived
  /// the body that started it.
  static var current: EnclosingBody? {
    guard let slot = ContextSlot.current, let core = slot.core, let pebble = slot.position else {
      return nil
    }
    return EnclosingBody(core: core, pebble: pebble, isTeardown: slot.isTeardown)
  }

  /// Whether one of those that the asking task is inside of, the innermost first, is such.
  static func isAnyAround(_ isSuch: (EnclosingBody) -> Bool) -> Bool {
    var parent = current
    while let current = parent {
      if isSuch(current) { return true }
      parent = current.core.parent
    }
    return false
  }

  /// Whether anything still waits for it to end: the run until the pebble settles; later only the
  /// teardown, for services and for what it has called itself.
  ///
  /// Tasks and runs that a body has started and that outlive it are inside of it as well, but of no
  /// concern once it has settled.
  var isAwaited: Bool {
    !core.storage.state.status(of: pebble).isSettled || isTeardown
      || core.services.running.contains(pebble)
  }
}
