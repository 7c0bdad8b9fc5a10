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
  ///   - rest: How much time is left for all. A service has half of that at most, lest nothing be
  ///     left for what comes after it.
  /// - Returns: Whether it has ended.
  func ends<End>(
    by end: Promise<End>, within rest: () -> Duration? = { nil }
  ) async -> Bool {
    if let limit {
      let grace = min(limit, rest().map { $0 / 2 } ?? limit)
      if await core.waits(for: end, atMost: grace) { return true }
    }
    call?.cancelBody()
    let patience = [limit, rest().map { $0 / 2 }].compactMap(\.self).min()
    return await core.waits(for: end, atMost: patience)
  }

  /// Has a service stop that restarts with another one; one that is not ready has been cancelled.
  func beginForRestart(of call: AttemptCall, isReady: Bool) {
    if isReady { begin() } else if limit == nil { return }
    core.makeTask { [self] in
      let hasStopped =
        isReady
        ? await ends(by: call.serviceEnd)
        : await core.waits(for: call.answer, atMost: limit)
      if hasStopped { return }
      let (first, now) = (core.storage.values.payload(at: pebble), core.clock.now())
      core.take { $0.serviceDidNotStop(call, first: first, within: limit ?? .zero, at: now) }
    }
  }
}
