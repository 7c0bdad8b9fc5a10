import Foundation
import Logging
import Pebbles

/// Loads again what the boot has loaded, as a pond of its own.
struct Refresh: Sendable {
  private let pond: Pond
  private let database: Pebble<TrackerDatabase>
  private let loading: Loading
  private let look: Pebble<Date?>
  private let site: Site
  private let logger: Logger

  /// Where the last refresh is shown.
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
    // Whatever comes of it, nothing is lost with it.
    pond.pebble("checkpoint", .writing, needs: whole, when: loading.isOver) {
      try $0.checkpoint()
    }
    self.site = site
    self.logger = logger
  }

  /// Loads once, and changes what there is to see.
  ///
  /// - Throws: `PondError`, if this is defined wrongly.
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

  /// Looks at the database alone, after somebody could not read it. If it is whole, nothing is
  /// known of the site that was not known before, and the last refresh stays the one that is shown.
  ///
  /// - Throws: `PondError`, if this is defined wrongly.
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
