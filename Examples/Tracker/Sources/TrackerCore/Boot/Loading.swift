import Pebbles

/// Reading the feeds and storing what they have, each in one transaction: part of the boot, and
/// all of a refresh.
struct Loading: Sendable {
  let fetchLaunches: Pebble<[Launch]>
  let fetchCores: Pebble<[Core]>
  let storeLaunches: Pebble<Void>
  let storeCores: Pebble<Void>

  /// - Parameters:
  ///   - pond: Where to.
  ///   - limit: How long one attempt to read a feed may take.
  ///   - feed: Where from.
  ///   - database: Where to.
  ///   - migrated: When the tables are there.
  init(
    in pond: Pond, within limit: Duration, _ feed: Pebble<FeedClient>,
    _ database: Pebble<TrackerDatabase>, when migrated: Condition = .always
  ) {
    fetchLaunches = pond.pebble("fetchLaunches", .reading(within: limit), needs: feed) {
      try await $0.launches()
    }
    fetchCores = pond.pebble("fetchCores", .reading(within: limit), needs: feed) {
      try await $0.cores()
    }
    storeLaunches = pond.pebble(
      "storeLaunches", .writing, needs: database, fetchLaunches, when: migrated
    ) { try $0.save($1) }
    storeCores = pond.pebble(
      "storeCores", .writing, needs: database, fetchCores, when: migrated
    ) { try $0.save($1) }
  }

  /// Both are stored.
  var isWhole: Condition {
    (storeLaunches.succeeded && storeCores.succeeded).labeled("all is loaded")
  }

  /// Nothing more is going to be stored.
  var isOver: Condition { storeLaunches.settled && storeCores.settled }
}

extension PebbleTrait {
  /// Reads a feed.
  static func reading(within limit: Duration) -> Self {
    .traits(.timeout(limit), .retry(.backoff(attempts: 2, initial: .milliseconds(200))))
  }

  /// Writes to the database, of which SQLite allows one at a time.
  static let writing = Self.traits(.blocking, .exclusive("writer"))
}
