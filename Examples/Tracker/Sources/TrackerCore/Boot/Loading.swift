import Logging
import Pebbles

/// The pebbles that read the feeds, store each feed in one transaction, and keep the search index
/// up to date. They are a part of the boot, and the main part of a refresh.
struct Loading: Sendable {
  let fetchLaunches: Pebble<[FedLaunch]>
  let fetchCores: Pebble<[Core]>
  let storeLaunches: Pebble<Void>
  let storeCores: Pebble<Void>

  /// The pebble that rebuilds the search index if it does not match the launches, for example after
  /// another program has replaced them.
  let searchIndex: Pebble<Void>

  /// Adds the pebbles.
  ///
  /// - Parameters:
  ///   - pond: The pond that gets the pebbles.
  ///   - limit: The time limit of an attempt to read a feed.
  ///   - feed: The feed client.
  ///   - database: The database to store in.
  ///   - logger: The logger that reports a rebuilt index.
  ///   - migrated: The condition that the tables exist.
  init(
    in pond: Pond, within limit: Duration, _ feed: Pebble<FeedClient>,
    _ database: Pebble<TrackerDatabase>, _ logger: Logger, when migrated: Condition = .always
  ) {
    fetchLaunches = pond.pebble("fetchLaunches", .reading(within: limit), needs: feed) {
      try await $0.launches(within: limit)
    }
    fetchCores = pond.pebble("fetchCores", .reading(within: limit), needs: feed) {
      try await $0.cores(within: limit)
    }
    storeLaunches = pond.pebble(
      "storeLaunches", .writing, needs: database, fetchLaunches, when: migrated
    ) { try $0.save($1) }
    storeCores = pond.pebble(
      "storeCores", .writing, needs: database, fetchCores, when: migrated
    ) { try $0.save($1) }
    searchIndex = pond.pebble(
      "searchIndex", .writing, needs: database,
      when: migrated && storeLaunches.settled && storeCores.settled
    ) { database in
      guard try database.mendSearchIndex() else { return }
      logger.warning("the search index did not match the launches; it has been rebuilt")
    }
  }

  /// The last pebbles of the load.
  var ends: [Pebble<Void>] { [storeLaunches, storeCores, searchIndex] }

  /// The condition that everything is stored and searchable.
  var isWhole: Condition { Condition.all(ends.map(\.succeeded)).labeled("all is loaded") }

  /// The condition that nothing more will be stored.
  var isOver: Condition { .all(ends.map(\.settled)) }
}

extension PebbleTrait {
  /// Returns the traits for reading a feed.
  static func reading(within limit: Duration) -> Self {
    .traits(.timeout(limit), .retry(.backoff(attempts: 2, initial: .milliseconds(200))))
  }

  /// The traits for writing to the database. SQLite allows only one writer at a time.
  static let writing = Self.traits(.blocking, .exclusive("writer"))
}
