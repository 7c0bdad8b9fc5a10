import Logging
import Pebbles

/// The pebbles of the boot that open the database and migrate its tables.
struct Opening: Sendable {
  let openDatabase: Pebble<TrackerDatabase>

  /// The condition that the database file is damaged.
  let isDamaged: Condition
  let resetDatabase: Pebble<TrackerDatabase>

  /// The database in use, which is the opened one, or a new one that replaces a damaged file.
  let database: Pebble<TrackerDatabase>
  let migrate: Pebble<Void>

  /// Adds the pebbles.
  ///
  /// - Parameters:
  ///   - pond: The pond that gets the pebbles.
  ///   - limits: The time limits.
  ///   - settings: The settings, with the path of the database.
  ///   - logger: The logger that reports a damaged file.
  init(in pond: Pond, _ limits: Limits, _ settings: Pebble<Settings>, _ logger: Logger) {
    openDatabase = pond.pebble(
      "openDatabase", .blocking, .timeout(limits.opening), needs: settings,
      teardown: { try $0.close() }
    ) { try TrackerDatabase.open(at: $0.database) }

    // Only a damaged file is replaced: not, for example, a file without read permission.
    isDamaged = openDatabase.failed("damaged") { $0 is DamagedDatabase }
    resetDatabase = pond.pebble(
      "resetDatabase", .blocking, .timeout(limits.opening), needs: settings, openDatabase.outcome,
      when: isDamaged, teardown: { try $0.close() }
    ) { settings, opened in
      let (database, place) = try TrackerDatabase.reset(at: settings.database)
      let damage = opened.error.map { "\($0)" } ?? "the database is damaged"
      logger.error("\(damage); it has been moved to \(place), and a new one is created")
      return database
    }

    database = pond.pebble(
      "database", needs: openDatabase.optional, resetDatabase.optional,
      when: openDatabase.succeeded || resetDatabase.succeeded
    ) { opened, reset in
      guard let database = opened ?? reset else { throw CancellationError() }
      return database
    }

    migrate = pond.pebble(
      "migrate", .writing, .timeout(limits.migration),
      .retry(.backoff(attempts: 4, initial: .milliseconds(100))), needs: database
    ) { try $0.migrate() }
  }
}
