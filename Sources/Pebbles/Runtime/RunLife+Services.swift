/// What happens to the services of a run.
extension RunLife {
  /// The body of a service is called for the first time, or after attempts that have failed.
  ///
  /// - Returns: It; `nil` if it has to wait for another one, and is not called.
  mutating func serviceStarted(_ call: AttemptCall) -> ServiceLife? {
    guard case .now = turn(of: call.pebble) else { return nil }
    let service = ServiceLife()
    services[call.pebble] = service
    run.serviceStarted()
    attemptStarted(call)
    return service
  }

  /// A service was up in an earlier process, and is to be called again in this one.
  mutating func serviceIsRestored(_ pebble: Int) -> ServiceLife {
    let service = ServiceLife.restored
    services[pebble] = service
    run.serviceStarted()
    wentDown(pebble)
    return service
  }

  /// A service is called again, if it is its turn.
  ///
  /// - Returns: When it is; never if it is asked to stop, or a service stays down whose output it
  ///   takes. If it was recalled for that, that alone is the failure.
  mutating func serviceRestarted(_ call: AttemptCall) -> Turn {
    guard services[call.pebble]?.isStopping == false else { return .never }
    let turn = turn(of: call.pebble)
    switch turn {
    case .now where isEarlierOneDown(call.pebble): return .later(change)
    case .now:
      services[call.pebble]?.calledAgain()
      attemptStarted(call)
    case .later:
      break
    case .never:
      let isOwnFailure =
        services[call.pebble]?.isRecalled == false && !isWithoutLeader(call.pebble)
      if !isOwnFailure { services[call.pebble]?.stopRequested() }
    }
    return turn
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
    let isRecalled = recall != .no || isWithoutLeader(call.pebble)
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
    familyChanged()
  }

  /// A service is to be stopped: it is asked to.
  ///
  /// - Returns: It, and the call of its body; `nil` if it has ended.
  mutating func stopRequested(_ pebble: Int) -> (service: ServiceLife, call: AttemptCall?)? {
    guard services[pebble]?.isRunning == true else { return nil }
    services[pebble]?.stopRequested()
    familyChanged()
    return services[pebble].map { ($0, attempts[pebble]?.call) }
  }

  /// The shutdown waits for a service no longer.
  ///
  /// - Returns: Whether it goes on, so that what it opened is undone only when it ends.
  mutating func abandoned(_ pebble: Int) -> Bool {
    guard services[pebble]?.isRunning == true else { return false }
    services[pebble]?.abandoned()
    return true
  }

  /// A service that has ended unasked is closed: what runs inside of it is shut down, and if it is
  /// to be called again, what it has handed over is undone.
  mutating func serviceCloses(_ call: AttemptCall, undoing first: AnyOutput??, at time: UInt64) {
    guard attempts[call.pebble]?.isLeft == true else { return }
    change(call) { $0.closes(at: time) }
    let runs = inner.attemptFailed(call.slot, of: call.pebble)
    // Twice optional: a service without an output may have opened something all the same.
    var output: AnyOutput??
    if let first { output = services[call.pebble]?.takeOutput(first: first) ?? .none }
    if !call.undoesOutput { output = .none }
    if output == nil, runs.isEmpty { closed(call) } else { close(call, output, runs) }
  }

  /// A service is not called again. Unless it is being stopped it is down.
  mutating func serviceWentDown(_ pebble: Int) {
    if services[pebble]?.wentDown() == true { actions.append(.noteServiceDown(pebble)) }
    familyChanged()
  }

  /// A service has ended for good.
  ///
  /// - Parameters:
  ///   - call: Its last call.
  ///   - first: What its pebble has as its output.
  mutating func serviceEnded(_ call: AttemptCall, first: AnyOutput?) {
    guard var service = services[call.pebble] else { return }
    if attempts[call.pebble]?.isLeft == true { closed(call) }
    service.ended()
    if service.isAbandoned, call.undoesOutput, let output = service.takeOutput(first: first) {
      outputCameLate(output, of: call.pebble)
    }
    services[call.pebble] = service
    actions.append(.tell(service.hasEnded))
    // Only now, because events end once the run has ended and no service is left.
    take { $0.serviceEnded() }
    familyChanged()
  }

  func service(_ pebble: Int) -> ServiceLife? { services[pebble] }

  /// Whether a service is up, or has ended well, as it may.
  func isServiceUp(_ pebble: Int) -> Bool {
    guard let service = services[pebble] else { return false }
    if service.hasEndedWell { return true }
    if case .up = service.phase { return !downServices.contains(pebble) }
    return false
  }

  /// A service that was kept has gone down in its run, perhaps for good, or come up again there.
  mutating func keptServiceChanged(_ pebble: Int, isDown: Bool, staysDown: Bool) {
    if staysDown { keptServices.remove(pebble) }
    if isDown {
      wentDown(pebble)
    } else if downServices.remove(pebble) != nil {
      actions.append(.letReadersStart(of: pebble))
    }
    familyChanged()
  }

  /// What a pebble has to be torn down now.
  ///
  /// - Parameters:
  ///   - pebble: The pebble.
  ///   - first: What its body has returned.
  /// - Returns: That, or what it has handed over since; `nil` if that has been torn down already.
  mutating func takeOutput(of pebble: Int, first: AnyOutput?) -> AnyOutput?? {
    services[pebble] == nil ? .some(first) : services[pebble]?.takeOutput(first: first) ?? nil
  }

  /// The services that are starting or running, even if they have been told to stop.
  var runningServices: Set<Int> { Set(services.lazy.filter(\.value.isRunning).map(\.key)) }
}
