import Pebbles

/// Refreshes again and again, and in between when somebody asks for it. While something is missing
/// the next time comes sooner: a feed that was away for a moment costs no more than a few of these.
struct Refresher: Sendable {
  let refresh: Refresh
  let site: Site
  let interval: Duration

  /// How long after something was lost the first refresh comes, and each one takes twice as long up
  /// to the interval.
  let firstRetry: Duration
  let clock: any Clock<Duration>

  /// Goes on until its task is cancelled.
  ///
  /// - Throws: `PondError`, if the refresh is defined wrongly.
  func run() async throws {
    await site.waitForScreen()
    var retry = firstRetry
    while !Task.isCancelled {
      let isWhole = site.screen.loss == nil
      if isWhole { retry = firstRetry }
      let pause = isWhole ? interval : min(retry, interval)
      guard let wish = await next(within: pause) else { return }
      site.refreshBegan()
      switch wish {
      case .refresh:
        retry = min(retry * 2, interval)
        try await refresh.run()
      case .check: try await refresh.check()
      }
    }
  }

  /// What is wished, or due; `nil` once the task is cancelled.
  private func next(within pause: Duration) async -> Site.Wish? {
    await withTaskGroup(of: Site.Wish?.self) { group in
      group.addTask { await site.wish() }
      group.addTask { (try? await clock.sleep(for: pause)).map { .refresh } }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }
}
