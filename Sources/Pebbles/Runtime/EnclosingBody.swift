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

  var isSettled: Bool { core.storage.state.status(of: pebble).isSettled }

  /// Whether it is a service that goes on although its pebble has settled.
  var isRunningService: Bool {
    isSettled && core.life.read { $0.service(pebble)?.isRunning == true }
  }

  /// The runs that call it only once it has ended: they resume the one that has given it up.
  var runsThatWaitForIt: [RunCore] {
    core.line?.runs.filter { run in
      run.resumption?.goingOn.contains(pebble) == true
        && !run.storage.state.status(of: pebble).isSettled
    } ?? []
  }

  /// The runs that nobody shuts down before this has ended, in a run that is to end: those inside
  /// of its pebble, and of the pebbles that are torn down after it, however deep.
  var runsShutDownAfterIt: [RunCore] {
    guard core.isEndAsked else { return [] }
    let (inner, isStopping) = core.life.read { ($0.inner, $0.service(pebble)?.isStopping == true) }
    let later = isTeardown || isStopping ? inner.order.pebbles(after: pebble) : []
    var runs = ([pebble] + later).flatMap { inner.runs(of: $0) }.filter { !$0.isEndAsked }
    var next = 0
    while next < runs.count {
      runs += runs[next].life.read { $0.inner.all }.filter { !$0.isEndAsked }
      next += 1
    }
    return runs
  }

  /// The pebble of a run that the asking task is inside of, directly or through runs inside of it;
  /// `nil` if it is inside of none.
  static func pebble(of run: RunIdentifier) -> Int? {
    var body = current
    while let enclosing = body {
      if enclosing.core.identifier == run { return enclosing.pebble }
      body = enclosing.core.parent
    }
    return nil
  }
}

extension EnclosingBody: Hashable {
  static func == (left: EnclosingBody, right: EnclosingBody) -> Bool {
    left.core === right.core && left.pebble == right.pebble && left.isTeardown == right.isTeardown
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(core))
    hasher.combine(pebble)
    hasher.combine(isTeardown)
  }
}
