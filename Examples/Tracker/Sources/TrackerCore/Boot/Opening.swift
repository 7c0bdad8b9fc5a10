import Logging
import Pebbles

/// From the file to a database with all its tables: part of the boot.
struct Opening: Sendable {
  let openDatabase: Pebble<TrackerDatabase>

  /// There is a file, and what is in it is of no use.
  let isDamaged: Condition
  let resetDatabase: Pebble<TrackerDatabase>

  /// The one of both that came to be.
  let database: Pebble<TrackerDatabase>
  let migrate: Pebble<Void>

  /// - Parameters:
  ///   - pond: Where to.
  ///   - limits: How long things may take.
  ///   - settings: Where the file is.
  ///   - logger: Told of a file that is damaged.
  init(in pond: Pond, _ limits: Limits, _ settings: Pebble<Settings>, _ logger: Logger) {
    openDatabase = pond.pebble(
      "openDatabase", .blocking, .timeout(limits.opening), needs: settings,
      teardown: { try $0.close() }
    ) { try TrackerDatabase.open(at: $0.database) }

    // Only what is damaged is replaced: not a file, say, that may not be read.
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
