/// The process of stopping one service. The service is first asked to stop, and is cancelled if it
/// does not stop in time. If it still does not end, the shutdown or restart no longer waits for it.
struct ServiceStopping: Sendable {
  private let core: RunCore
  private let pebble: Int
  private let call: AttemptCall?

  /// The maximum time to wait for the end of the service after it has been asked to stop, and again
  /// after it has been cancelled. If the limit is `nil`, the service is cancelled immediately, and
  /// only the deadline of the shutdown limits the wait.
  private let limit: Duration?

  /// Creates the process of stopping a service. The service is not yet asked to stop.
  ///
  /// - Parameters:
  ///   - core: The run.
  ///   - pebble: The service.
  ///   - call: The call to the service's body; `nil` if no call is in progress.
  init(_ core: RunCore, _ pebble: Int, _ call: AttemptCall?) {
    self.core = core
    self.pebble = pebble
    self.call = call
    limit = core.program.options[UInt32(pebble)]?.traits.stopWithin
  }

  /// Asks the service to stop.
  ///
  /// - Parameter service: A promise to fulfill in addition to the `stop` promise of the call; `nil`
  ///   if there is no other promise.
  func begin(telling service: Promise<Void>? = nil) {
    SelfAwaitingRuns.recheck(core)
    core.note(.stopRequested(core.name(pebble)), at: core.clock.now())
    service?.fulfill(())
    call?.stop.fulfill(())
  }

  /// Waits until a service that was asked to stop has ended. If it does not end within its time
  /// limit, cancels it and waits again. A service without a time limit is cancelled immediately,
  /// and then only the deadline limits the wait.
  ///
  /// - Parameters:
  ///   - end: A promise that is fulfilled once the service has ended.
  ///   - deadline: The deadline of the shutdown; `nil` for no deadline. The wait before the
  ///     cancellation and the wait after it each take at most half of the remaining time, so that
  ///     some time is left for the next steps.
  /// - Returns: Whether the service has ended.
  func ends<End>(
    by end: Promise<End>, deadline: RunLifecycle.ShutdownDeadline? = nil
  ) async -> Bool {
    if limit != nil, await core.waits(for: end, until: lastMoment(before: deadline)) {
      return true
    }
    call?.cancelBody()
    return await core.waits(for: end, until: lastMoment(before: deadline))
  }

  /// Returns the time at which a wait that begins now must end.
  private func lastMoment(before deadline: RunLifecycle.ShutdownDeadline?) -> UInt64 {
    let now = core.clock.now()
    let own = limit.map { now.addingSaturated($0.nanoseconds) } ?? .max
    guard let deadline else { return own }
    return min(own, now + deadline.time.subtractingSaturated(now) / 2)
  }

  /// Begins to stop a service that must be restarted together with another service. If the service
  /// is ready, it is asked to stop; otherwise, it has already been cancelled. If it has a time
  /// limit and does not stop in time, it is abandoned.
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
