import Logging
import Pebbles

/// Reading the feeds, storing what they have, each in one transaction, and seeing to it that it can
/// be found: part of the boot, and all of a refresh.
struct Loading: Sendable {
  let fetchLaunches: Pebble<[FedLaunch]>
  let fetchCores: Pebble<[Core]>
  let storeLaunches: Pebble<Void>
  let storeCores: Pebble<Void>

  /// Makes the index anew if it is not that of the launches, such as after somebody has replaced
  /// them with another program.
  let searchIndex: Pebble<Void>

  /// - Parameters:
  ///   - pond: Where to.
  ///   - limit: How long one attempt to read a feed may take.
  ///   - feed: Where from.
  ///   - database: Where to.
  ///   - logger: Told of an index that had to be made anew.
  ///   - migrated: When the tables are there.
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

  /// What all is loaded with.
  var ends: [Pebble<Void>] { [storeLaunches, storeCores, searchIndex] }

  /// Both are stored, and can be found.
  var isWhole: Condition { Condition.all(ends.map(\.succeeded)).labeled("all is loaded") }

  /// Nothing more is going to be stored.
  var isOver: Condition { .all(ends.map(\.settled)) }
}

extension PebbleTrait {
  /// Reads a feed.
  static func reading(within limit: Duration) -> Self {
    .traits(.timeout(limit), .retry(.backoff(attempts: 2, initial: .milliseconds(200))))
  }

  /// Writes to the database, of which SQLite allows one at a time.
  static let writing = Self.traits(.blocking, .exclusive("writer"))
}
