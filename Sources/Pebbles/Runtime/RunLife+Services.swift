/// The transitions for the services of a run.
extension RunLife {
  /// Records that the body of a service is called for the first time, or again after failed
  /// attempts.
  ///
  /// - Returns: The life of the service; `nil` if the body must not be called now.
  mutating func serviceStarted(_ call: AttemptCall) -> ServiceLife? {
    guard case .now = permission(for: call.pebble) else { return nil }
    let service = ServiceLife()
    services[call.pebble] = service
    run.serviceStarted()
    attemptStarted(call)
    return service
  }

  /// Records that this process will call a service again that was up in an earlier process.
  mutating func serviceIsRestored(_ pebble: Int) -> ServiceLife {
    let service = ServiceLife.restored
    services[pebble] = service
    run.serviceStarted()
    wentDown(pebble)
    return service
  }

  /// Restarts a service if it may be called now.
  ///
  /// A service is not called again if it takes the output of another service that stays down. It
  /// then counts as failed, unless it was recalled or is restarted together with a service that is
  /// down. In those cases, it counts as stopped. If the run will be torn down, no service is called
  /// again.
  ///
  /// - Returns: Whether the service may be called now, later, or never. The result is `never` if
  ///   the service was asked to stop, or takes the output of a service that stays down.
  mutating func serviceRestarted(_ call: AttemptCall) -> CallPermission {
    guard let service = services[call.pebble], !service.isStopping else { return .never }
    if run.isToBeTornDown { return .later(service.stop) }
    let permission = permission(for: call.pebble)
    switch permission {
    case .now where isEarlierOneDown(call.pebble): return .later(change)
    case .now:
      services[call.pebble]?.calledAgain()
      attemptStarted(call)
    case .later:
      break
    case .never:
      let isOwnFailure =
        services[call.pebble]?.isRecalled == false && !isLeaderDown(of: call.pebble)
      if !isOwnFailure {
        services[call.pebble]?.stopRequested()
        // Runs that have kept the service learn that it stays down.
        actions.append(.holdReaders(of: call.pebble))
      }
    }
    return permission
  }

  mutating func serviceFailed(_ call: AttemptCall, _ error: any Error) {
    guard case .starting? = services[call.pebble]?.phase else {
      return serviceBodyEnded(call, .failure(error), isCancelled: false)
    }
    services[call.pebble]?.ended()
    take { $0.serviceEnded() }
  }

  mutating func serviceBodyEnded(
    _ call: AttemptCall, _ result: Result<Void, any Error>, isCancelled: Bool
  ) {
    let recall = attempts[call.pebble]?.recall ?? .no
    let hasReturned = call.mayReturn && !result.isFailure && recall == .no
    let isRecalled = recall != .no || isLeaderDown(of: call.pebble)
    serviceEndKnown(
      call, result, otherwise: isRecalled ? .isRecalled : .isUnasked,
      isExpected: isCancelled || hasReturned, isCancelled: isCancelled)
  }

  mutating func serviceEndKnown(
    _ call: AttemptCall, _ result: Result<Void, any Error>,
    otherwise reason: ServiceCallEnd.Reason, isExpected: Bool = false, isCancelled: Bool = false
  ) {
    let isStopping = isCancelled || services[call.pebble]?.isStopping == true
    let known = services[call.pebble]?.bodyEnded(call, result, isExpected: isExpected)
    guard let isExpected = known ?? nil else { return }
    if !isExpected { wentDown(call.pebble) }
    let reason = isExpected ? .isExpected : reason
    if reason == .isRecalled { services[call.pebble]?.recalled() }
    actions.append(
      .noteServiceEnd(call, result, reason, isAsked: isStopping || reason == .isRecalled))
    // Known at once, so that neither the end of another service nor a shutdown can come before it.
    let wasReady = services[call.pebble]?.readySince != nil
    if reason == .isUnasked, wasReady, !call.mayRestart { return serviceWentDown(call.pebble) }
    familyChanged()
  }

  /// Records that a service is asked to stop.
  ///
  /// - Returns: The life of the service, and the call to its body, if a call is in progress; `nil`
  ///   if the service has ended.
  mutating func stopRequested(_ pebble: Int) -> (service: ServiceLife, call: AttemptCall?)? {
    guard services[pebble]?.isRunning == true else { return nil }
    services[pebble]?.stopRequested()
    familyChanged()
    return services[pebble].map { ($0, attempts[pebble]?.call) }
  }

  /// Returns whether the body of a service is running and was asked to stop, in a teardown or for a
  /// restart.
  func isAskedToStop(_ service: Int) -> Bool {
    guard let attempt = attempts[service], !attempt.hasBodyEnded else { return false }
    return attempt.recall == .stopRequested || services[service]?.isStopping == true
  }

  /// Records that the shutdown no longer waits for a service.
  ///
  /// - Returns: Whether the service is still running. If so, its output is undone when it ends.
  mutating func abandoned(_ pebble: Int) -> Bool {
    guard services[pebble]?.isRunning == true else { return false }
    services[pebble]?.abandoned()
    return true
  }

  /// Returns whether a service is still running although the shutdown no longer waits for it.
  func isAbandoned(_ service: Int) -> Bool {
    services[service].map { $0.isAbandoned && $0.isRunning } ?? false
  }

  /// Closes a service that was recalled, or ended without being asked to stop. Shuts down the runs
  /// inside the service, and undoes the service's output if the service is restarted.
  mutating func serviceCloses(_ call: AttemptCall, undoing first: AnyOutput??, at time: UInt64) {
    guard attempts[call.pebble]?.hasBodyEnded == true else { return }
    change(call) { $0.beginClosing(at: time) }
    let runs = inner.attemptFailed(call.slot, of: call.pebble)
    // Doubly optional, because a service without an output may have opened something too.
    var output: AnyOutput??
    if let first { output = services[call.pebble]?.takeOutput(first: first) ?? .none }
    if !call.undoesOutput { output = .none }
    if output == nil, runs.isEmpty { closed(call) } else { close(call, output, runs) }
  }

  /// Records that a service will not be called again. From now on, the service is down, unless it
  /// is being stopped.
  mutating func serviceWentDown(_ pebble: Int) {
    if services[pebble]?.wentDown() == true { actions.append(.noteServiceDown(pebble)) }
    familyChanged()
  }

  /// Records that a service has ended permanently.
  ///
  /// - Parameters:
  ///   - call: The last call to the service's body.
  ///   - first: The output of the service's pebble.
  mutating func serviceEnded(_ call: AttemptCall, first: AnyOutput?) {
    guard var service = services[call.pebble] else { return }
    if attempts[call.pebble]?.hasBodyEnded == true { closed(call) }
    service.ended()
    if service.isAbandoned, call.undoesOutput, let output = service.takeOutput(first: first) {
      outputCameLate(output, of: call.pebble)
    }
    services[call.pebble] = service
    actions.append(.tell(service.hasEnded))
    // Applied after the other changes, because the events end once the run has ended and no service
    // is left.
    take { $0.serviceEnded() }
    familyChanged()
  }

  /// Returns whether a service is up, or has ended in a way that keeps its output valid.
  func isServiceUp(_ pebble: Int) -> Bool {
    guard let service = services[pebble] else { return false }
    if service.hasEndedWell { return true }
    if case .up = service.phase { return !downServices.contains(pebble) }
    return false
  }

  /// Records that a kept service has gone down or come up again in the run that owns it. If
  /// `staysDown` is `true`, the service will not be called again.
  mutating func keptServiceChanged(_ pebble: Int, isDown: Bool, staysDown: Bool) {
    if staysDown { keptServices.remove(pebble) }
    if isDown {
      wentDown(pebble)
    } else if downServices.remove(pebble) != nil {
      actions.append(.letReadersStart(of: pebble))
    }
    familyChanged()
  }

  /// Returns the output that must be torn down for a pebble. If the pebble is a service, marks the
  /// output as torn down.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - first: The first output of the pebble's body.
  /// - Returns: The first output or, for a service that was restarted, the latest output; `nil` if
  ///   the output has already been torn down.
  mutating func takeOutput(of pebble: Int, first: AnyOutput?) -> AnyOutput?? {
    services[pebble] == nil ? .some(first) : services[pebble]?.takeOutput(first: first) ?? nil
  }

  /// The services that are starting or running, including those that were asked to stop.
  var runningServices: Set<Int> { Set(services.lazy.filter(\.value.isRunning).map(\.key)) }
}
