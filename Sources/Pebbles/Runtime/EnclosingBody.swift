/// A body or teardown in which other runs are started or awaited.
struct EnclosingBody: Sendable {
  let core: RunCore
  let pebble: Int
  let isTeardown: Bool

  /// The innermost body that contains the current task; `nil` outside of runs, in a task that has
  /// outlived its body, and in a run that is driven elsewhere.
  static var current: EnclosingBody? {
    guard let slot = ContextSlot.current, let core = slot.core, let pebble = slot.position else {
      return nil
    }
    return EnclosingBody(core: core, pebble: pebble, isTeardown: slot.isTeardown)
  }

  /// Returns whether any of the bodies that contain the current task satisfies a predicate.
  /// Examines the innermost body first.
  static func isAnyAround(_ predicate: (EnclosingBody) -> Bool) -> Bool {
    var parent = current
    while let current = parent {
      if predicate(current) { return true }
      parent = current.core.parent
    }
    return false
  }

  var isSettled: Bool { core.storage.state.status(of: pebble).isSettled }

  /// Whether this is the body of a running service whose pebble has settled.
  var isRunningService: Bool {
    isSettled && core.life.read { $0.services[pebble]?.isRunning == true }
  }

  /// Whether runs inside the pebble of this body may still have to be shut down.
  var hasRunsInside: Bool { core.life.read { !$0.inner.runs(of: pebble).isEmpty } }

  /// The resuming runs that cannot call this body again until the current call has ended. The run
  /// that made the current call no longer waits for it.
  var runsThatWaitForIt: [RunCore] {
    core.chain?.runs.filter { run in
      run.resumption?.pebblesWithRunningBodies.contains(pebble) == true
        && !run.storage.state.status(of: pebble).isSettled
    } ?? []
  }

  /// The runs that are shut down only after this body has ended, except those that were already
  /// asked to end.
  ///
  /// The list contains the runs inside the pebble of this body, at any depth. If this is a
  /// teardown, or the body of a service that is being stopped, the list also contains the runs
  /// inside every pebble that is torn down later. The list is empty until the run of this body is
  /// asked to end, this teardown begins, or this service is asked to stop.
  var runsShutDownAfterIt: [RunCore] {
    let (inner, isStopping, isAsked) = core.life.read { life in
      (
        life.inner, life.services[pebble]?.isStopping == true,
        isTeardown ? life.teardowns[pebble] != nil : life.isAskedToStop(pebble)
      )
    }
    guard isAsked || core.isEndAsked else { return [] }
    let later = isTeardown || isStopping ? inner.order.pebbles(after: pebble) : []
    var runs = ([pebble] + later).flatMap { inner.runs(of: $0) }.filter { !$0.isEndAsked }
    var next = 0
    while next < runs.count {
      runs += runs[next].life.read { $0.inner.all }.filter { !$0.isEndAsked }
      next += 1
    }
    return runs
  }

  /// Returns whether this is a teardown that started the given run, directly or through other runs.
  /// The given run must be inside the run of this teardown.
  func startsInTeardown(_ run: RunCore) -> Bool {
    var owner = run.life.owner
    while let next = owner, next.slot.life !== core.life { owner = next.slot.life?.owner }
    return isTeardown && owner?.slot.isTeardown == true
  }

  /// Returns a promise for each service that contains the current task, directly or through inner
  /// runs. The promise is fulfilled when the service is asked to stop.
  ///
  /// - Parameter run: The run that the task observes. If an independent run contains both that run
  ///   and the task, the services around the independent run do not count.
  /// - Returns: The promises, beginning with that of the innermost service.
  static func stopsOfServices(observing run: RunIdentifier) -> [Promise<Void>] {
    var stops: [Promise<Void>] = []
    var isInObserved = false
    var body = current
    while let enclosing = body {
      let core = enclosing.core
      let call = core.life.read { $0.attempts[enclosing.pebble]?.call }
      if let call, call.isService { stops.append(call.stop) }
      isInObserved = isInObserved || core.identifier == run
      body = isInObserved && core.life.owner == nil ? nil : core.parent
    }
    return stops
  }
}

extension EnclosingBody {
  /// Creates the body or teardown of the attempt that owns an inner run.
  init(_ owner: RunOwner, of core: RunCore) {
    self.init(core: core, pebble: owner.pebble, isTeardown: owner.slot.isTeardown)
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
