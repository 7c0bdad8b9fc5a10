import Pebbles

/// What there is to see after the loads: exactly one of three.
struct Showing: Sendable {
  /// Whether there is anything.
  let look: Pebble<Void>

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
    ) { if try $0.launchCount() == 0 { throw NothingToShow() } }

    online = pond.pebble("online", when: look.succeeded && loading.isWhole) { site.show(.online) }

    stale = pond.pebble(
      "stale", needs: loading.fetchLaunches.outcome, loading.storeLaunches.outcome,
      loading.fetchCores.outcome, loading.storeCores.outcome, loading.searchIndex.outcome,
      when: look.succeeded && !loading.isWhole
    ) { fetchLaunches, storeLaunches, fetchCores, storeCores, searchIndex in
      // The feed before the database: what was not read could not be stored.
      let losses = [fetchLaunches, storeLaunches, fetchCores, storeCores, searchIndex]
        .compactMap(loss)
      site.show(.stale(losses.first ?? "nothing is missing"))
    }

    // To mention the loads is what handles their failures.
    offline = pond.pebble(
      "offline", needs: opening.openDatabase.outcome, opening.resetDatabase.outcome,
      opening.migrate.outcome, look.outcome, loading.fetchLaunches.outcome,
      loading.fetchCores.outcome, loading.searchIndex.outcome,
      when: http.succeeded && !look.succeeded && loading.isOver
    ) { open, reset, migrate, look, fetchLaunches, fetchCores, searchIndex in
      // Only what failed itself: what was skipped, was because of that. A file that was damaged
      // and is replaced is no loss any more.
      let opened = reset.isSkipped ? open : reset
      let losses = [opened, migrate, look, fetchLaunches, fetchCores, searchIndex]
        .compactMap(\.error).map { "\($0)" }
      site.show(.offline(losses.joined(separator: "; ")))
    }
  }
}

/// How a pebble was lost, for people; `nil` if it was not.
private func loss(_ outcome: Outcome) -> String? {
  switch outcome {
  case .succeeded: nil
  case .failed(let error): "\(error)"
  case .skipped(let reason): "\(reason)"
  }
}
