import Foundation
import Pebbles

/// The pebbles that show a screen after the loads have ended. Exactly one of the three screens is
/// shown.
struct Showing: Sendable {
  /// The pebble that checks whether there are launches. It outputs the time at which they were
  /// stored, or `nil` if the time was not recorded.
  let look: Pebble<Date?>

  /// The pebble that shows all launches from the feed.
  let online: Pebble<Void>

  /// The pebble that shows the launches in the database after something could not be loaded.
  let stale: Pebble<Void>

  /// The pebble that shows why there are no launches to see.
  let offline: Pebble<Void>

  var all: [Pebble<Void>] { [online, stale, offline] }

  /// The goal of the boot, which is to show exactly one screen, even if it only explains why there
  /// is nothing to see.
  var isOneScreen: Condition { .exactlyOne(of: all.map(\.succeeded)) }

  /// Adds the pebbles.
  ///
  /// - Parameters:
  ///   - pond: The pond that gets the pebbles.
  ///   - http: The pebble that runs the server.
  ///   - opening: The pebbles that open the database.
  ///   - loading: The pebbles that load the feeds.
  ///   - site: The site to update.
  init(
    in pond: Pond, _ http: Pebble<Int>, _ opening: Opening, _ loading: Loading, _ site: Site
  ) {
    look = pond.pebble(
      "look", .blocking, needs: opening.database,
      when: opening.migrate.succeeded && loading.isOver
    ) { [opened = opening.database] database in
      // A database that is opened in this run is checked when it is opened.
      if isKept(opened) { try database.check(for: site) }
      return try database.launchesLeft()
    }

    online = pond.pebble("online", when: look.succeeded && loading.isWhole) { site.show(.online) }

    let ends: [any PebbleIdentifying] = loading.ends
    stale = pond.pebble("stale", needs: look, when: look.succeeded && !loading.isWhole) { date in
      site.show(.stale(rootCause(of: ends).loss(on: "stale", .launches(of: date))))
    }

    // Mentioning the loads in the condition handles their failures.
    offline = pond.pebble(
      "offline", needs: look.outcome,
      when: http.succeeded && !look.succeeded && loading.isOver
    ) { [look] looked in
      // The feed comes before the look: with a feed, there would be launches. But if the database
      // is lost, only the look knows the remedy.
      let isOfLook = looked.isSkipped || looked.error is LostDatabase
      let cause = rootCause(of: isOfLook ? [look] : ends + [look])
      site.show(
        .offline(cause.loss(on: "offline", looked.error is NothingToShow ? .nothing : .unknown)))
    }
  }
}

/// Returns the root cause in the current run.
private func rootCause(of pebbles: [any PebbleIdentifying]) -> RootCause? {
  PebbleContext.current?.run.flatMap { RootCause(of: pebbles, in: $0.status) }
}

/// Returns whether the current run has kept a pebble from an earlier run.
private func isKept(_ pebble: any PebbleIdentifying) -> Bool {
  let name = pebble.pebbleID.description
  let pebbles = PebbleContext.current?.run?.status.pebbles ?? []
  return pebbles.contains { $0.name == name && $0.state.isKept }
}
