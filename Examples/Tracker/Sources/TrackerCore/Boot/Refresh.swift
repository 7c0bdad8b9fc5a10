import Logging
import Pebbles

/// Loads again what the boot has loaded, as a pond of its own.
struct Refresh: Sendable {
  private let pond: Pond
  private let loading: Loading
  private let site: Site
  private let logger: Logger

  init(
    _ feed: FeedClient, _ database: TrackerDatabase, _ limits: Limits, _ site: Site,
    _ around: @escaping Around, _ logger: Logger
  ) {
    pond = Pond("refresh", around: around)
    loading = Loading(
      in: pond, within: limits.feed, pond.pebble("feed") { feed },
      pond.pebble("database") { database }, logger)
    self.site = site
    self.logger = logger
  }

  /// Loads once, and changes what there is to see.
  ///
  /// - Throws: `PondError`, if this is defined wrongly.
  func run() async throws {
    let report = try await pond.run()
    if report.isCancelled { return }
    let lost = loading.ends.filter { !report.succeeded($0) }
    if lost.isEmpty {
      site.show(.online)
    } else if report.succeeded(loading.storeLaunches) || site.isOpen {
      let why = lost.compactMap { report.record(of: $0)?.explanation }
      site.show(.stale(why.joined(separator: "; ")))
      logger.warning("a refresh was not whole", metadata: ["why": "\(why)"])
    }
  }
}
