/// A body or a teardown of a run, as something that other runs are started or awaited in.
struct EnclosingBody: Sendable {
  let core: RunCore
  let pebble: Int
  let isTeardown: Bool

  /// The one the asking task is inside of; `nil` outside of runs.
  static var current: EnclosingBody? {
    guard let slot = ContextSlot.current, let pebble = slot.position else { return nil }
    return EnclosingBody(core: slot.core, pebble: pebble, isTeardown: slot.isTeardown)
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

  /// Whether somebody still waits for it to end: the run until the pebble settles; later only the
  /// teardown, for services and for what it has called itself.
  ///
  /// Tasks and runs that a body has started and that outlive it are inside of it as well, but of no
  /// concern once it has settled.
  var isAwaited: Bool {
    !core.storage.state.status(of: pebble).isSettled || isTeardown
      || core.services.running.contains(pebble)
  }
}
