extension RunCore {
  /// Has a service end: asked first, and cancelled after the time that it has for that.
  ///
  /// - Parameters:
  ///   - pebble: The service.
  ///   - requests: What asks it.
  ///   - end: Given once it has ended.
  ///   - rest: How much time is left for all. A service has half of that at most, lest nothing be
  ///     left for what comes after it.
  /// - Returns: Whether it has ended; otherwise it goes on for as long again as it had.
  func stopService<End>(
    _ pebble: Int, _ requests: [Promise<Void>], until end: Promise<End>,
    within rest: () -> Duration? = { nil }
  ) async -> Bool {
    let limit = program.options[UInt32(pebble)]?.traits.stopWithin
    note(.stopRequested(name(pebble)), at: clock.now())
    events.endObservers(insideOf: pebble)
    for request in requests { request.fulfill(()) }
    if let limit {
      let grace = min(limit, rest().map { $0 / 2 } ?? limit)
      if await waits(for: end, atMost: grace) { return true }
    }
    take { $0.stopPassed(pebble) }
    let patience = [limit, rest().map { $0 / 2 }].compactMap(\.self).min()
    return await waits(for: end, atMost: patience)
  }

  /// Has a service stop that restarts with another one.
  func stopForRestart(_ call: AttemptCall) {
    makeTask { [self] in
      if await stopService(call.pebble, [call.stop], until: call.serviceEnd) { return }
      let limit = program.options[UInt32(call.pebble)]?.traits.stopWithin ?? .zero
      let (first, now) = (storage.values.payload(at: call.pebble), clock.now())
      take { $0.serviceDidNotStop(call, first: first, within: limit, at: now) }
    }
  }
}
