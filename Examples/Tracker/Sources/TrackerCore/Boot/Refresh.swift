import Foundation
import Logging
import Pebbles

/// A refresh, which loads the feeds again in a pond of its own.
struct Refresh: Sendable {
  private let pond: Pond
  private let database: Pebble<TrackerDatabase>
  private let loading: Loading
  private let look: Pebble<Date?>
  private let site: Site
  private let logger: Logger

  /// The path of the page about the last refresh.
  static let page = "/boot/refresh"

  init(
    _ feed: FeedClient, _ database: TrackerDatabase, _ limits: Limits, _ site: Site,
    _ around: @escaping Around, _ logger: Logger
  ) {
    pond = Pond("refresh", around: around)
    let whole = pond.pebble("database", .blocking, .timeout(limits.opening)) {
      try database.check(for: site)
      return database
    }
    self.database = whole
    loading = Loading(in: pond, within: limits.feed, pond.pebble("feed") { feed }, whole, logger)
    look = pond.pebble("look", .blocking, needs: whole, when: loading.isOver) {
      try $0.launchesLeft()
    }
    // The result does not matter: nothing depends on the checkpoint.
    pond.pebble("checkpoint", .writing, needs: whole, when: loading.isOver) {
      try $0.checkpoint()
    }
    self.site = site
    self.logger = logger
  }

  /// Runs the refresh, and updates the site.
  ///
  /// - Throws: `PondError` if the definition of the refresh has errors.
  func run() async throws {
    let started = Date()
    let report = try await pond.run()
    if report.isCancelled { return }
    site.lastRefresh.keep(report, since: started)
    let ends: [any PebbleIdentifying] = loading.ends
    let cause = RootCause(of: ends + [look], in: report)
    if cause == nil {
      show(.online)
    } else if report.succeeded(look) {
      show(
        .stale(cause.loss(on: "stale", .launches(of: report[look] ?? nil), page: Self.page)))
    } else {
      let isEmpty = report.outcome(of: look).error is NothingToShow
      show(
        .offline(cause.loss(on: "offline", isEmpty ? .nothing : .unknown, page: Self.page)))
    }
  }

  /// Checks only the database, after a read error. If the database is intact, the site and the page
  /// about the last refresh do not change.
  ///
  /// - Throws: `PondError` if the definition of the refresh has errors.
  func check() async throws {
    let started = Date()
    let report = try await pond.run(only: [database])
    guard report.failed(database) else { return }
    site.lastRefresh.keep(report, since: started)
    let cause = RootCause(of: [database], in: report)
    show(.offline(cause.loss(on: "offline", .unknown, page: Self.page)))
  }

  private func show(_ screen: Site.Screen) {
    let before = site.screen
    site.show(screen)
    switch site.screen {
    case .stale, .offline: logger.warning("\(site.screen)")
    case .online where before != .online: logger.notice("\(site.screen)")
    case .booting, .online, .closing: break
    }
  }
}
