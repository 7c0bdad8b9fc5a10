/// What happens to services that are called again, and to what takes their outputs.
///
/// A service that is called again *recalls* those that restart with it: what they were handed is
/// gone. They are asked to stop when their turn has come; when none of them has anything left, it
/// is closed and called, and then they are.
extension RunLife {
  /// When something may be called.
  enum Turn {
    case now
    /// It has to be looked at again after this.
    case later(Promise<Void>)
    case never
  }

  /// When the body of a pebble may be called: not while a service is down whose output it takes.
  func turn(of pebble: Int) -> Turn {
    let missing = families.sources[pebble]?.filter(downServices.contains) ?? []
    if missing.isEmpty {
      let areAllThere = families.predecessors[pebble]?.allSatisfy { service in
        !downServices.contains(service) || staysDown(service)
      }
      return areAllThere == false ? .later(change) : .now
    }
    return missing.contains(where: staysDown) ? .never : .later(change)
  }

  /// Whether a service that is down is not called again.
  func staysDown(_ service: Int) -> Bool {
    switch services[service]?.phase {
    case .starting, .ready, .up: return false
    // What it has handed over is about to be kept.
    case .stopping where services[service]?.hasEndedWell == true: return false
    // One that was kept is called again in the run that it belongs to.
    case nil: return !keptServices.contains(service)
    case .stopping, .down, .ended: return true
    case .restarting:
      let sources = families.sources[service] ?? []
      return sources.contains { downServices.contains($0) && staysDown($0) }
    }
  }

  /// Whether a service is down that is called again before this one.
  func isEarlierOneDown(_ service: Int) -> Bool {
    families.earlier[service]?.contains { downServices.contains($0) && !staysDown($0) } ?? false
  }

  /// Whether a service is down that this one restarts with, so that its end is none of its own. Not
  /// if the run goes on without that one for good.
  func isWithoutLeader(_ service: Int) -> Bool {
    families.leaders[service]?.contains { leader in
      downServices.contains(leader) && !(staysDown(leader) && families.dispensable.contains(leader))
    } ?? false
  }

  /// Until when some of those that restart with a service may still use what it has handed over:
  /// what they have left behind, for as long as others wait for it; `nil` if none does.
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
    case .stopping: !attempt.isLeft
    case .down, .ended, nil: false
    }
  }

  // MARK: What happens

  /// A service has ended and is to be called again: those that restart with it are recalled. Not in
  /// a run that is to be torn down, which stops them anyway.
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

  /// Has those stop that are recalled and that no other one has to stop before.
  private mutating func askRecalled() {
    for (service, attempt) in attempts.sorted(by: { $0.key < $1.key })
    where attempt.recall == .waits && attempt.isReady && services[service]?.isStopping == false {
      let isTurn = families.later[service]?.allSatisfy { other in
        !usesInputs(other) || attempts[other]?.recall == .no
      }
      guard isTurn != false else { continue }
      change(attempt.call) { $0.stopAsked() }
      actions.append(.stopForRestart(attempt.call, isReady: true))
    }
  }

  /// A service goes on that was to stop for a restart.
  ///
  /// - Parameters:
  ///   - call: The call of its body.
  ///   - first: What its pebble has as its output.
  ///   - limit: How long it had to stop.
  ///   - time: When that was over.
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

  /// A service that was recalled, or whose leader is down, is not ready: that does not count.
  mutating func startsAnew(_ call: AttemptCall) {
    guard attempts[call.pebble]?.recall != .no || isWithoutLeader(call.pebble) else { return }
    actions.append(.tell(call.startsAnew))
  }

  /// A service is ready.
  mutating func serviceIsReady(_ call: AttemptCall, _ output: AnyOutput?, at time: UInt64) {
    if case .restarting? = services[call.pebble]?.phase {
      actions.append(.keepLatestOutput(call, output))
    }
    services[call.pebble]?.ready(call, output, at: time)
    if attempts[call.pebble]?.recall != .no { wentDown(call.pebble) }
    familyChanged()
  }

  /// What a service has handed over that was called again can be read.
  mutating func latestOutputIsKept(_ call: AttemptCall) {
    guard let attempt = attempts[call.pebble], attempt.call === call, attempt.recall == .no else {
      return
    }
    // It may have ended in the meantime.
    let isThere = attempt.isReady || services[call.pebble]?.hasEndedWell == true
    guard isThere, downServices.remove(call.pebble) != nil else { return }
    actions.append(.letReadersStart(of: call.pebble))
    familyChanged()
  }

  mutating func wentDown(_ service: Int) {
    if downServices.insert(service).inserted { actions.append(.holdReaders(of: service)) }
  }

  /// A service has come up or gone down.
  mutating func familyChanged() {
    if families.sources.isEmpty, families.predecessors.isEmpty { return }
    askRecalled()
    changed()
  }
}
