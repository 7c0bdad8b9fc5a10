/// The transitions for services that are restarted, and for pebbles that take their outputs.
///
/// The *followers* of a service are the services that restart with it. When the service is
/// restarted, it *recalls* its followers, because the outputs they took are no longer valid. Each
/// follower is asked to stop once all services that must stop before it have stopped. When the
/// followers have ended and everything they left behind is closed, the service itself is closed and
/// called again. Then the followers are called again.
extension RunLife {
  /// The permission to call a body: now, later or never.
  enum CallPermission {
    case now
    /// No permission yet. The caller asks again when the promise is fulfilled.
    case later(Promise<Void>)
    case never
  }

  /// Returns whether the body of a pebble may be called now, later, or never. A body that takes the
  /// output of a service waits while the service is down, and is never called if the service stays
  /// down. A service that was up in an earlier process also waits while one of its
  /// `RestartFamilies.predecessors` may still come up.
  func permission(for pebble: Int) -> CallPermission {
    let missing = families.sources[pebble]?.filter(downServices.contains) ?? []
    if missing.isEmpty {
      let areAllThere = families.predecessors[pebble]?.allSatisfy { service in
        !downServices.contains(service) || staysDown(service)
      }
      return areAllThere == false ? .later(change) : .now
    }
    return missing.contains(where: staysDown) ? .never : .later(change)
  }

  /// Returns whether a service is down permanently. Call this method only for services that are
  /// down.
  func staysDown(_ service: Int) -> Bool {
    switch services[service]?.phase {
    case .starting, .ready, .up: return false
    // The output of the service is about to be kept.
    case .stopping where services[service]?.hasEndedWell == true: return false
    // A kept service is called again in the run that it belongs to.
    case nil: return !keptServices.contains(service)
    case .stopping, .down, .ended: return true
    case .restarting:
      let sources = families.sources[service] ?? []
      return sources.contains { downServices.contains($0) && staysDown($0) }
    }
  }

  /// Returns whether `service` must wait for another service before it can be restarted. The other
  /// service comes earlier in the order of restarts, is down, and may still come up.
  func isEarlierOneDown(_ service: Int) -> Bool {
    families.restartedBefore[service]?.contains { downServices.contains($0) && !staysDown($0) }
      ?? false
  }

  /// Returns whether a leader of a service is down. A service's leaders are the services whose
  /// restarts also restart it. If a leader is down, the service's end does not count as a failure.
  /// A leader that stays down is ignored if it is allowed to stay down without ending the run.
  func isLeaderDown(of service: Int) -> Bool {
    families.leaders[service]?.contains { leader in
      downServices.contains(leader) && !(staysDown(leader) && families.dispensable.contains(leader))
    } ?? false
  }

  /// Returns the time, in nanoseconds, until which the followers of a service may still use its
  /// output; `nil` if no follower uses the output. The time includes the wait until everything that
  /// the followers left behind is closed.
  func lastUse(of service: Int) -> UInt64? {
    families.followers[service]?.compactMap { follower in
      guard let attempt = attempts[follower] else { return nil }
      if attempt.wasLate { return attempt.lastMoment }
      return switch services[follower]?.phase {
      case .down, .ended: attempt.lastMoment
      case .starting, .ready, .up, .restarting, .stopping, nil: usesInputs(follower) ? .max : nil
      }
    }.max()
  }

  private func usesInputs(_ service: Int) -> Bool {
    guard let attempt = attempts[service] else { return false }
    return switch services[service]?.phase {
    case .starting, .ready, .up, .restarting: true
    case .stopping: !attempt.hasBodyEnded
    case .down, .ended, nil: false
    }
  }

  // MARK: What happens

  /// Recalls the followers of a service that has ended and will be restarted. Does nothing if the
  /// run will be torn down, because the teardown stops the followers anyway.
  mutating func serviceRecallsFollowers(_ service: Int) {
    guard !run.isToBeTornDown else { return }
    for follower in families.followers[service]?.sorted() ?? [] { recall(follower) }
    familyChanged()
  }

  private mutating func recall(_ service: Int) {
    guard usesInputs(service), let attempt = attempts[service],
      let isNotReady = change(attempt.call, { $0.recalled() }) ?? nil
    else { return }
    if isNotReady {
      actions += [.cancelBody(attempt.call), .stopForRestart(attempt.call, isReady: false)]
    }
    if case .starting? = services[service]?.phase { return }
    wentDown(service)
  }

  /// Asks the recalled services to stop, except those that must wait until another service has
  /// stopped.
  private mutating func askRecalled() {
    for (service, attempt) in attempts.sorted(by: { $0.key < $1.key })
    where attempt.recall == .pending && attempt.isReady && services[service]?.isStopping == false {
      let isTurn = families.stoppedBefore[service]?.allSatisfy { other in
        !usesInputs(other) || attempts[other]?.recall == .no
      }
      guard isTurn != false else { continue }
      change(attempt.call) { $0.stopAsked() }
      actions.append(.stopForRestart(attempt.call, isReady: true))
    }
  }

  /// Abandons a service that did not stop in time for a restart.
  ///
  /// - Parameters:
  ///   - call: The call to the service's body.
  ///   - first: The output of the service's pebble.
  ///   - limit: The time within which the service should have stopped.
  ///   - time: The time at which the limit was reached, in nanoseconds.
  mutating func serviceDidNotStop(
    _ call: AttemptCall, first: AnyOutput?, within limit: Duration, at time: UInt64
  ) {
    guard let attempt = attempts[call.pebble], attempt.call === call else { return }
    if attempt.isGoingOn {
      return timePassed(call, after: limit, ServiceError.didNotStop, at: time)
    }
    guard attempt.isReady, case .up? = services[call.pebble]?.phase else { return }
    let output: AnyOutput?? = services[call.pebble]?.takeOutput(first: first) ?? .none
    change(call) { $0.didNotStop(holding: call.undoesOutput ? output : nil, at: time) }
    actions.append(.giveUp(call, ServiceError.didNotStop))
    serviceEndKnown(call, .failure(ServiceError.didNotStop), otherwise: .isUnasked)
  }

  /// Lets a service start again after a call in which it did not become ready. This method has an
  /// effect only if the service was recalled, or if one of its leaders is down. The failed call
  /// does not count toward the retry policy.
  mutating func startsAnew(_ call: AttemptCall) {
    guard attempts[call.pebble]?.recall != .no || isLeaderDown(of: call.pebble) else { return }
    actions.append(.tell(call.startsAnew))
  }

  /// Records that a service is ready.
  mutating func serviceIsReady(_ call: AttemptCall, _ output: AnyOutput?, at time: UInt64) {
    if case .restarting? = services[call.pebble]?.phase {
      actions.append(.keepLatestOutput(call, output))
    }
    services[call.pebble]?.ready(call, output, at: time)
    if attempts[call.pebble]?.recall != .no { wentDown(call.pebble) }
    familyChanged()
  }

  /// Stops holding back the pebbles that take the output of a restarted service, because the new
  /// output can now be read.
  mutating func latestOutputIsKept(_ call: AttemptCall) {
    guard let attempt = attempts[call.pebble], attempt.call === call, attempt.recall == .no else {
      return
    }
    // The service may have ended in the meantime.
    let isThere = attempt.isReady || services[call.pebble]?.hasEndedWell == true
    guard isThere, downServices.remove(call.pebble) != nil else { return }
    actions.append(.letReadersStart(of: call.pebble))
    familyChanged()
  }

  mutating func wentDown(_ service: Int) {
    if downServices.insert(service).inserted { actions.append(.holdReaders(of: service)) }
  }

  /// Asks recalled services to stop, in the required order, and wakes everything that waits for a
  /// change. Call this method after a service has come up or gone down.
  mutating func familyChanged() {
    if families.sources.isEmpty, families.predecessors.isEmpty { return }
    askRecalled()
    changed()
  }
}
