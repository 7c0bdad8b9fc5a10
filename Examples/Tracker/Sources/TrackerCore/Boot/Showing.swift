import Foundation
import Pebbles

/// What there is to see after the loads: exactly one of three.
struct Showing: Sendable {
  /// Whether there is anything, and since when; `nil` if that was never noted.
  let look: Pebble<Date?>

  /// All that the feed has.
  let online: Pebble<Void>

  /// What is left of an earlier time.
  let stale: Pebble<Void>

  /// Nothing.
  let offline: Pebble<Void>

  var all: [Pebble<Void>] { [online, stale, offline] }

  /// What the boot is for: something to see, if only why there is nothing.
  var isOneScreen: Condition { .exactlyOne(of: all.map(\.succeeded)) }

  /// - Parameters:
  ///   - pond: Where to.
  ///   - http: The server.
  ///   - opening: The database.
  ///   - loading: The loads.
  ///   - site: Where it is shown.
  init(
    in pond: Pond, _ http: Pebble<Int>, _ opening: Opening, _ loading: Loading, _ site: Site
  ) {
    look = pond.pebble(
      "look", .blocking, needs: opening.database,
      when: opening.migrate.succeeded && loading.isOver
    ) { [opened = opening.database] database in
      // One that is opened in this run is checked then.
      if isKept(opened) { try database.check(for: site) }
      return try database.launchesLeft()
    }

    online = pond.pebble("online", when: look.succeeded && loading.isWhole) { site.show(.online) }

    let ends: [any PebbleIdentifying] = loading.ends
    stale = pond.pebble("stale", needs: look, when: look.succeeded && !loading.isWhole) { date in
      site.show(.stale(rootCause(of: ends).loss(on: "stale", .launches(of: date))))
    }

    // To mention the loads is what handles their failures.
    offline = pond.pebble(
      "offline", needs: look.outcome,
      when: http.succeeded && !look.succeeded && loading.isOver
    ) { [look] looked in
      // The feed before the look: had it been read, there would be something. But of a database
      // that is lost the look alone knows what to do.
      let isOfLook = looked.isSkipped || looked.error is LostDatabase
      let cause = rootCause(of: isOfLook ? [look] : ends + [look])
      site.show(
        .offline(cause.loss(on: "offline", looked.error is NothingToShow ? .nothing : .unknown)))
    }
  }
}

/// The root cause in the run in which it is asked.
private func rootCause(of pebbles: [any PebbleIdentifying]) -> RootCause? {
  PebbleContext.current?.run.flatMap { RootCause(of: pebbles, in: $0.status) }
}

/// Whether a pebble was kept from an earlier run, in the run in which it is asked.
private func isKept(_ pebble: any PebbleIdentifying) -> Bool {
  let name = pebble.pebbleID.description
  let pebbles = PebbleContext.current?.run?.status.pebbles ?? []
  return pebbles.contains { $0.name == name && $0.state.isKept }
}
