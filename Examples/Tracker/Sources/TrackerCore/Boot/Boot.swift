import Logging
import Pebbles
import PebblesServer
import People
import Tracing

//   settings ─┬─▶ http ─────────────────────────────────────▶ doors ─┬─▶ refresher
//             ├─▶ feed ─┬─▶ fetchLaunches ─▶ storeLaunches ─┐        ├─▶ people
//             │         └─▶ fetchCores ────▶ storeCores ────┤        └─▶ notice
//             └─▶ openDatabase ─▶ database ─▶ migrate ──────┴─▶ look ─▶ exactly one of
//                    │ damaged       ▲                                  online, stale, offline
//                    └▶ resetDatabase┘
//
// The stores wait for `migrate`, and so do the doors. Before `look`, the search index is repaired
// if necessary. The boot does not wait for the people.

/// The boot of the launch tracker.
///
/// The server waits only for the settings, so that it can report on the boot. Visitors are admitted
/// as soon as there is something to see. If a load fails, the site shows older launches, if it has
/// any. The goal of the boot is that the site becomes exactly one of online, stale and offline. The
/// boot fails only if the settings cannot be read, the server cannot listen, or one of the services
/// for visitors does not start. In these cases, visitors would see nothing, either from the start
/// or soon afterwards.
public struct Boot: Sendable {
  /// The pond of the boot.
  public let pond: Pond

  /// The site that visitors see.
  public let site: Site

  /// The object that retries the lost parts of the boot.
  public let retries: Retries

  package let settings: Pebble<Settings>
  let http: Pebble<Int>
  let feed: Pebble<FeedClient>
  let opening: Opening
  let loading: Loading
  let showing: Showing
  let doors: Pebble<Void>
  let refresher: Pebble<Void>
  let people: Pebble<Void>
  let notice: Pebble<Void>

  /// Creates the boot without starting it.
  ///
  /// - Parameters:
  ///   - limits: The time limits.
  ///   - logger: The log for operators.
  ///   - clock: The clock that schedules refreshes.
  ///   - around: Code to run around every attempt; by default, it creates spans.
  ///   - make: A closure that makes the given number of people; it may block its thread.
  ///   - read: A closure that reads the settings.
  public init(
    limits: Limits, logger: Logger, clock: any Clock<Duration> = ContinuousClock(),
    around: @escaping Around = attemptSpans(),
    people make: @escaping @Sendable (Int) async throws -> People = {
      try People(generating: $0, seed: 1)
    },
    settings read: @escaping @Sendable () throws -> Settings
  ) {
    let pond = Pond("tracker", onFailure: .cancelAll, around: around)
    let site = Site()
    let retries = Retries(site, logger)
    (self.pond, self.site, self.retries) = (pond, site, retries)

    settings = pond.pebble("settings") { try read() }
    http = pond.service(
      "http", .timeout(limits.listening), .stopWithin(limits.drain),
      .retry(.backoff(attempts: 3, initial: .milliseconds(200), only: { $0 is PortTaken })),
      needs: settings
    ) { ready, settings in try await serve(site, retries, settings, ready, logger) }
    feed = pond.service("feed", .stopWithin(.seconds(2)), needs: settings) { ready, settings in
      try await connect(settings.feed, ready, logger)
    }

    opening = Opening(in: pond, limits, settings, logger)
    loading = Loading(
      in: pond, within: limits.feed, feed, opening.database, logger,
      when: opening.migrate.succeeded)
    showing = Showing(in: pond, http, opening, loading, site)
    pond.goal = showing.isOneScreen

    // The doors are closed and empty before the database closes, and while the server still
    // answers. They do not wait for a screen, so that they stay open while a stale screen is
    // retried. Before there is a screen, the site lets nobody in.
    doors = pond.service(
      "doors", .stopWithin(limits.drain), .stopsBefore(http), needs: opening.database, settings,
      when: http.succeeded && opening.migrate.succeeded
    ) { ready, database, settings in
      try await admitVisitors(to: site, database, settings, until: ready, logger)
    }
    refresher = pond.service(
      "refresher", needs: settings, feed, opening.database, when: doors.succeeded
    ) { ready, settings, feed, database in
      ready()
      let refresher = Refresher(
        refresh: Refresh(feed, database, limits, site, around, logger), site: site,
        interval: settings.refreshEvery, firstRetry: settings.retryAfter, clock: clock)
      // Cancelled when it is asked to stop. Its refreshes belong to no span of the boot.
      try await ServiceContext.withValue(.topLevel) { try await refresher.run() }
    }

    people = pond.service("people", needs: settings, when: doors.succeeded) { ready, settings in
      try await showPeople(to: site, around, until: ready) { try await make(settings.people) }
    }

    // Stopped before everything else, to inform load balancers.
    notice = pond.service(
      "notice", .stopWithin(limits.drainDelay + .seconds(1)),
      .stopsBefore(doors, refresher, people),
      when: doors.succeeded
    ) { ready in
      ready()
      await ready.stopRequested()
      if site.beginClosing() { try? await clock.sleep(for: limits.drainDelay) }
    }
  }
}
