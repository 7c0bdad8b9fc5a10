/// Has one service stop: asks it, cancels it after the time that it has for that, and says if it
/// goes on all the same.
struct Stopping: Sendable {
  private let core: RunCore
  private let pebble: Int
  private let call: AttemptCall?

  /// How long the service has to stop when it is asked, and as long again when it is cancelled.
  private let limit: Duration?

  /// - Parameters:
  ///   - core: The run.
  ///   - pebble: The service.
  ///   - call: The call of its body, if there is one.
  init(_ core: RunCore, _ pebble: Int, _ call: AttemptCall?) {
    self.core = core
    self.pebble = pebble
    self.call = call
    limit = core.program.options[UInt32(pebble)]?.traits.stopWithin
  }

  /// Asks the service to stop.
  ///
  /// - Parameter service: What else is told that it is to.
  func begin(telling service: Promise<Void>? = nil) {
    core.note(.stopRequested(core.name(pebble)), at: core.clock.now())
    core.events.endObservers(insideOf: pebble)
    service?.fulfill(())
    call?.stop.fulfill(())
  }

  /// Waits until the service has stopped that was asked to.
  ///
  /// - Parameters:
  ///   - end: Given once it has ended.
  ///   - deadline: Until when all may take. A service has half of what is left at most, lest
  ///     nothing be left for what comes after it.
  /// - Returns: Whether it has ended.
  func ends<End>(
    by end: Promise<End>, deadline: RunLifecycle.ShutdownDeadline? = nil
  ) async -> Bool {
    if limit != nil, await core.waits(for: end, until: lastMoment(before: deadline)) {
      return true
    }
    call?.cancelBody()
    return await core.waits(for: end, until: lastMoment(before: deadline))
  }

  /// Until when to wait for what begins now.
  private func lastMoment(before deadline: RunLifecycle.ShutdownDeadline?) -> UInt64 {
    let now = core.clock.now()
    let own = limit.map { now.addingSaturated($0.nanoseconds) } ?? .max
    guard let deadline else { return own }
    return min(own, now + deadline.time.subtractingSaturated(now) / 2)
  }

  /// Has a service stop that restarts with another one; one that is not ready has been cancelled.
  func beginForRestart(of call: AttemptCall, isReady: Bool) {
    if isReady { begin() } else if limit == nil { return }
    core.makeTask { [self] in
      let hasStopped =
        isReady
        ? await ends(by: call.serviceEnd)
        : await core.waits(for: call.answer, until: lastMoment(before: nil))
      if hasStopped { return }
      let (first, now) = (core.storage.values.payload(at: pebble), core.clock.now())
      core.take { $0.serviceDidNotStop(call, first: first, within: limit ?? .zero, at: now) }
    }
  }
}
