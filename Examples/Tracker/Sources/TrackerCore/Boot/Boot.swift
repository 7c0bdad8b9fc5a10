import Logging
import Pebbles
import PebblesServer

//   settings ─┬─▶ http ─────────────────────────────────────────────────────┐
//             ├─▶ feed ─┬─▶ fetchLaunches ─▶ storeLaunches ─┐               │
//             │         └─▶ fetchCores ────▶ storeCores ────┼─▶ look ─┐     │
//             │                                  ▲          │         │     │
//             └─▶ openDatabase ─▶ database ─▶ migrate ──────┘         ▼     ▼
//                    │ failed        ▲           exactly one of online,   doors
//                    └▶ resetDatabase┘           stale, offline ────────▶ refresher

/// The boot of the launch tracker.
///
/// The server listens first, so that it can be asked how the boot goes; visitors are let in when
/// there is something to see. What failed of the loads costs freshness and nothing else: the site
/// is online, stale or offline, and always exactly one of these.
public struct Boot: Sendable {
  /// What is run.
  public let pond: Pond

  /// What visitors see.
  public let site: Site

  let settings: Pebble<Settings>
  let http: Pebble<Int>
  let feed: Pebble<FeedClient>
  let opening: Opening
  let loading: Loading
  let showing: Showing
  let doors: Pebble<Void>
  let refresher: Pebble<Void>

  /// Defines the boot; nothing is started.
  ///
  /// - Parameters:
  ///   - limits: How long things may take.
  ///   - logger: Told what a person should know.
  ///   - clock: When the next refresh is due.
  ///   - around: Code around every attempt; spans, if not given.
  ///   - read: Reads the settings.
  public init(
    limits: Limits, logger: Logger, clock: any Clock<Duration> = ContinuousClock(),
    around: @escaping Around = attemptSpans(),
    settings read: @escaping @Sendable () throws -> Settings
  ) {
    // Without a server nobody could see that the site is offline.
    let policy = FailurePolicy.custom { failure in
      ["settings", "http"].contains(failure.pebble) ? .cancelAll : .cancelUnlessHandled
    }
    let pond = Pond("tracker", onFailure: policy, around: around)
    let site = Site()
    (self.pond, self.site) = (pond, site)

    settings = pond.pebble("settings") { try read() }
    http = pond.service(
      "http", .timeout(.seconds(10)), .stopWithin(limits.drain),
      .retry(.backoff(attempts: 3, initial: .milliseconds(200), only: { $0 is PortTaken })),
      needs: settings
    ) { ready, settings in try await serve(site, settings, ready, logger) }
    feed = pond.service("feed", .stopWithin(.seconds(2)), needs: settings) { ready, settings in
      try await connect(settings.feed, ready, logger)
    }

    opening = Opening(in: pond, limits, settings, logger)
    loading = Loading(
      in: pond, within: limits.feed, feed, opening.database, when: opening.migrate.succeeded)
    showing = Showing(in: pond, opening, loading, site)

    // Closed and empty before the database closes, and while the server still answers.
    doors = pond.service(
      "doors", .stopWithin(limits.drain), .stopsBefore(http), needs: opening.database, settings,
      when: http.succeeded && opening.migrate.succeeded && showing.isDecided
    ) { ready, database, settings in
      try await admitVisitors(to: site, database, settings, until: ready)
    }
    refresher = pond.service(
      "refresher", needs: settings, feed, opening.database,
      when: opening.migrate.succeeded && showing.isDecided
    ) { ready, settings, feed, database in
      ready()
      let refresh = Refresh(feed, database, limits, site, around, logger)
      while !ready.isStopRequested {
        try await clock.sleep(for: settings.refreshEvery)
        try await refresh.run()
      }
    }
  }
}
