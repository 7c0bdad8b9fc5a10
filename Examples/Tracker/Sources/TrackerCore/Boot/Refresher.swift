import Pebbles

/// A service that refreshes the site at intervals, and on request. While something is missing, the
/// intervals are shorter, so that the site recovers quickly from a brief feed outage.
struct Refresher: Sendable {
  let refresh: Refresh
  let site: Site
  let interval: Duration

  /// The wait before the first refresh after a loss; each further wait is twice as long, up to the
  /// interval.
  let firstRetry: Duration
  let clock: any Clock<Duration>

  /// Refreshes the site until the task is cancelled.
  ///
  /// - Throws: `PondError` if the definition of the refresh has errors.
  func run() async throws { try await run(by: clock) }

  private func run(by clock: some Clock<Duration>) async throws {
    await site.waitForScreen()
    var retry = firstRetry
    var start = clock.now
    while !Task.isCancelled {
      let isWhole = site.screen.loss == nil
      if isWhole { retry = firstRetry }
      let pause = isWhole ? interval : min(retry, interval)
      guard let wish = await next(until: start.advanced(by: pause), clock) else { return }
      site.refreshBegan()
      switch wish {
      case .refresh:
        if site.screen.loss != nil { retry = min(retry * 2, interval) }
        try await refresh.run()
        start = clock.now
      case .check:
        try await refresh.check()
        // Only a loss changes when the next refresh is due: requests may ask for checks forever.
        if isWhole, site.screen.loss != nil { start = clock.now }
      }
    }
  }

  /// Waits until an action is requested or a refresh is due. Returns `nil` if the task is
  /// cancelled.
  private func next<Time: Clock>(until due: Time.Instant, _ clock: Time) async -> Site.Wish? {
    await withTaskGroup(of: Site.Wish?.self) { group in
      group.addTask { await site.wish() }
      group.addTask { (try? await clock.sleep(until: due, tolerance: nil)).map { .refresh } }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }
}
