extension RunCore {
  /// Asks a service to stop.
  func askToStop(_ pebble: Int, _ requests: [Promise<Void>]) {
    note(.stopRequested(name(pebble)), at: clock.now())
    events.endObservers(insideOf: pebble)
    for request in requests { request.fulfill(()) }
  }

  /// Waits for the end of a service that was asked to stop, and cancels it after the time that it
  /// has for that.
  ///
  /// - Parameters:
  ///   - pebble: The service.
  ///   - call: The call of its body, if there is one.
  ///   - end: Given once it has ended.
  ///   - rest: How much time is left for all. A service has half of that at most, lest nothing be
  ///     left for what comes after it.
  /// - Returns: Whether it has ended; otherwise it goes on for as long again as it had.
  func stops<End>(
    _ pebble: Int, _ call: AttemptCall?, until end: Promise<End>,
    within rest: () -> Duration? = { nil }
  ) async -> Bool {
    let limit = program.options[UInt32(pebble)]?.traits.stopWithin
    if let limit {
      let grace = min(limit, rest().map { $0 / 2 } ?? limit)
      if await waits(for: end, atMost: grace) { return true }
    }
    call?.cancelBody()
    let patience = [limit, rest().map { $0 / 2 }].compactMap(\.self).min()
    return await waits(for: end, atMost: patience)
  }

  /// Has a service stop that restarts with another one; one that is not ready has been cancelled.
  func stopForRestart(_ call: AttemptCall, isReady: Bool) {
    let limit = program.options[UInt32(call.pebble)]?.traits.stopWithin
    if isReady {
      askToStop(call.pebble, [call.stop])
    } else if limit == nil {
      return
    }
    makeTask { [self] in
      let hasStopped =
        isReady
        ? await stops(call.pebble, call, until: call.serviceEnd)
        : await waits(for: call.answer, atMost: limit)
      if hasStopped { return }
      let (first, now) = (storage.values.payload(at: call.pebble), clock.now())
      take { $0.serviceDidNotStop(call, first: first, within: limit ?? .zero, at: now) }
    }
  }
}
