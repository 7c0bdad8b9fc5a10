/// The supervisor of a service, from the moment the service is ready until it has ended
/// permanently.
struct ServiceSupervisor {
  private let core: RunCore
  private let pebble: Int
  private let options: PebbleOptions
  private let service: ServiceLife
  private var restarts: Restarts

  /// A promise for a service that was up in an earlier process; `nil` for any other service. The
  /// promise is fulfilled once the service is up again, or is known to stay down.
  private let restored: Promise<Void>?

  /// Creates a supervisor.
  ///
  /// - Parameters:
  ///   - core: The run.
  ///   - pebble: The service.
  ///   - options: The options of the pebble.
  ///   - service: The life of the service so far.
  ///   - restored: For a service that was up in an earlier process, a promise to fulfill once the
  ///     service is up again, or is known to stay down; `nil` for any other service.
  init(
    _ core: RunCore, _ pebble: Int, _ options: PebbleOptions, _ service: ServiceLife,
    restored: Promise<Void>? = nil
  ) {
    self.core = core
    self.pebble = pebble
    self.options = options
    self.service = service
    self.restored = restored
    restarts = Restarts(
      options.traits.ending ?? .shutDown,
      start: restored.flatMap { _ in options.traits.retry?.makeRetries() })
  }

  /// Restarts a service that was up in an earlier process, and supervises it.
  consuming func restore() async {
    let crashes = core.recording?.progress?.unfinished[pebble]?.crashes ?? 0
    if crashes >= RunProgress.mostCrashes {
      isNotCalled(because: PebbleCrash(count: crashes))
      return await end(makeCall())
    }
    guard let first = await restart(after: .success(())) else {
      inputStaysDown()
      return await end(makeCall())
    }
    await supervise(first)
  }

  /// Supervises a ready service until it has ended permanently.
  ///
  /// - Parameter first: The call in which the service became ready.
  consuming func supervise(_ first: AttemptCall) async {
    var call = first
    while let next = await successor(of: call) { call = next }
    await end(call)
  }

  private func end(_ call: AttemptCall) async {
    core.take { $0.serviceWentDown(pebble) }
    restored?.fulfill(())
    // The last body may still be running, or may have left something behind that is being closed.
    if core.life.read({ $0.goesOn(call) }) { await call.isOver.value() }
    core.take { $0.serviceEnded(call, first: core.storage.values.payload(at: pebble)) }
    core.leaveOwner()
  }

  /// Waits for the end of a call, and then calls the service again unless it has ended permanently.
  ///
  /// - Returns: The next call, in which the service has become ready or failed; `nil` if the
  ///   service is not called again.
  private mutating func successor(of call: AttemptCall) async -> AttemptCall? {
    let end = await call.serviceEnd.value()
    let readySince = core.life.read { $0.services[pebble]?.readySince }
    restarts.callEnded(at: end.time, readySince: readySince)
    let delay: Duration?
    switch end.reason {
    case .isExpected: return nil
    case .isRecalled: delay = .zero
    case .isUnasked: delay = restarts.delay(after: end.result)
    }
    let output = delay.map { _ in core.storage.values.payload(at: pebble) }
    if delay != nil, !(await recallsFollowers()) { return nil }
    let now = core.clock.now()
    core.take { $0.serviceCloses(call, undoing: output, at: now) }
    guard await core.isOver(call), let delay else { return nil }
    if delay > .zero, await core.waits(for: service.stop, until: core.time(after: delay)) {
      return nil
    }
    return await restart(after: end.result)
  }

  /// Recalls the services that are restarted with this service, and waits until they have stopped.
  /// If the run is being torn down, the shutdown stops them instead, and then stops this service.
  ///
  /// - Returns: `true` if the recalled services no longer use the output of this service; `false`
  ///   if this service has itself been asked to stop.
  private func recallsFollowers() async -> Bool {
    if core.program.families.followers[pebble] == nil { return true }
    core.take { $0.serviceRecallsFollowers(pebble) }
    while true {
      let (isStopping, isTornDown, use, change) = core.life.read { life in
        (
          life.services[pebble]?.isStopping == true, life.run.isToBeTornDown,
          life.lastUse(of: pebble), life.change
        )
      }
      if isStopping { return false }
      let lastUse = isTornDown ? .max : use ?? 0
      if lastUse <= core.clock.now() { return true }
      _ = await core.waits(for: change, until: lastUse)
    }
  }

  /// Calls the body of the service again. The service must become ready within its timeout. As in
  /// any attempt, a body that ignores the timeout is abandoned.
  ///
  /// - Parameter end: The result of the previous call.
  /// - Returns: The call; `nil` if the body was not called, because the service was asked to stop
  ///   or stays down.
  private mutating func restart(after end: Result<Void, any Error>) async -> AttemptCall? {
    restarts.count += 1
    // In a cancelled run, this is no failure of the service, which then waits until it is stopped.
    if let error = await core.makeMissingInputs(of: pebble), !core.isCancelled {
      isNotCalled(because: error)
      return nil
    }
    guard let call = await begin() else { return nil }
    let started = core.clock.now()
    let number = call.slot.attempt
    core.recording?.journal.bodyCalled(pebble, attempt: number, at: started)
    core.storage.serviceRestarted(
      ServiceRestart(time: started.asNanoseconds, attempt: number, error: end.failure), at: pebble)
    core.note(.serviceRestarted(call.name, attempt: number, end.failure), at: started)
    if case .success = await BodyCall(core, call, options).answer() {
      await core.recording?.journal.outputRestored(nil, of: pebble, at: core.clock.now())
      restored?.fulfill(())
    }
    return call
  }

  /// Records that the service is not called in this process because another service, which provides
  /// one of its inputs, stays down. Does nothing if the service was asked to stop, or if another
  /// error prevents the call.
  private func inputStaysDown() {
    let isStopping = core.life.read { $0.services[pebble]?.isStopping }
    guard isStopping == false, core.storage.notes(at: pebble)?.serviceEnd == nil else { return }
    isNotCalled(because: ServiceError.staysDown)
  }

  /// Records the error that prevents the service from being called again. The service stays down.
  private func isNotCalled(because error: any Error) {
    let time = core.clock.now().asNanoseconds
    core.storage.serviceEnded(ServiceEnd(time: time, error: error, wasAsked: false), at: pebble)
  }

  /// Returns a new call to the service's body. The call's timeout begins now.
  private func makeCall() -> AttemptCall {
    // Continues the numbers of the attempts after which the service first became ready.
    let number = max(1, core.storage.notes(at: pebble)?.attempts.count ?? 0) + restarts.count
    // The deadline of the run does not apply to restarts.
    let limit = options.traits.timeout.map { limit in
      AttemptLimit(
        end: core.time(after: limit),
        error: PebbleTimeout(pebble: core.name(pebble), limit: limit, .readiness))
    }
    let slot = ContextSlot(core, pebble: pebble, attempt: number)
    return AttemptCall(core, pebble, in: slot, options, limit)
  }
}

extension ServiceSupervisor {
  /// Waits until the service may be called again, and then records that it is called. The call's
  /// timeout does not include the wait.
  ///
  /// - Returns: The call; `nil` if the service was asked to stop or stays down.
  private func begin() async -> AttemptCall? {
    while true {
      let call = makeCall()
      // Counted first, as for the first call of a body.
      let restarts = core.storage.inputRestarts(of: pebble)
      switch core.take({ $0.serviceRestarted(call) }) {
      case .now:
        core.storage.takesInputs(restarted: restarts, at: pebble)
        return call
      case .never: return nil
      case .later(let change): _ = await core.waits(for: change, until: .max)
      }
    }
  }
}

/// The remaining restarts of a service.
private struct Restarts {
  private let policy: RetryPolicy?
  private let resetAfter: Duration
  private var retries: RemainingRetries?

  /// The remaining retries of a service that an earlier process first started. They apply until the
  /// service has become ready in this process and its call has ended. Afterwards, and for other
  /// services, the value is `nil`.
  private var start: RemainingRetries?

  /// The number of calls after the first.
  var count = 0

  init(_ ending: ServiceEnding, start: RemainingRetries?) {
    self.start = start
    switch ending.kind {
    case .ignore, .shutDown:
      policy = nil
      resetAfter = .zero
    case .restart(let policy, let time):
      self.policy = policy
      resetAfter = time
    }
    retries = policy?.makeRetries()
  }

  /// Records the end of a call. If the service was up long enough, the number of remaining restarts
  /// is reset.
  ///
  /// - Parameters:
  ///   - time: The time at which the end was recorded, in nanoseconds.
  ///   - since: The time at which the service became ready, in nanoseconds; `nil` if it did not
  ///     become ready.
  mutating func callEnded(at time: UInt64, readySince since: UInt64?) {
    guard let since else { return }
    start = nil
    if count > 0, (time - min(since, time)).asNanoseconds >= resetAfter {
      retries = policy?.makeRetries()
    }
  }

  /// Determines whether and when the service is called again. This method calls user code.
  ///
  /// - Parameter result: The result of the last call.
  /// - Returns: The time to wait before the next call; `nil` if there is no next call.
  mutating func delay(after result: Result<Void, any Error>) -> Duration? {
    let error = result.failure ?? ServiceError.ended
    return start?.delay(afterFailure: error) ?? retries?.delay(afterFailure: error)
  }
}

extension RunCore {
  /// Records the end of a service that was ready, or the end of a failed restart.
  func noteServiceEnd(
    of call: AttemptCall, _ result: Result<Void, any Error>, _ reason: ServiceCallEnd.Reason,
    isAsked: Bool
  ) {
    let time = clock.now()
    if reason == .isExpected, !isAsked { recording?.journal.serviceEnded(call.pebble, at: time) }
    storage.serviceEnded(
      ServiceEnd(time: time.asNanoseconds, error: result.failure, wasAsked: isAsked),
      at: call.pebble)
    note(.serviceEnded(call.name, result.failure), at: time)
    call.serviceEnd.fulfill(ServiceCallEnd(result: result, time: time, reason: reason))
  }

  /// Records, in this run and in the enclosing runs, that a service of this run has ended
  /// permanently without being asked to stop. Shuts down this run, unless the service's
  /// `ServiceEnding` is `ignore`.
  func serviceIsDown(_ pebble: Int) {
    storage.serviceIsDown(at: pebble)
    var run = self
    while case .attempt(let owner, let around)? = run.life.owner?.belonging, !owner.slot.isTeardown
    {
      around.storage.serviceIsDown(
        inside: run.storage, at: owner.pebble, attempt: owner.slot.attempt)
      run = around
    }
    switch (program.options[UInt32(pebble)]?.traits.ending ?? .shutDown).kind {
    case .ignore: break
    case .shutDown, .restart: shutDown(.serviceEnded(name(pebble)))
    }
  }
}
