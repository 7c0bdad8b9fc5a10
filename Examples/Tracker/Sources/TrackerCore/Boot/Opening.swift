import Logging
import Pebbles

/// From the file to a database with all its tables: part of the boot.
struct Opening: Sendable {
  let openDatabase: Pebble<TrackerDatabase>
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

    resetDatabase = pond.pebble(
      "resetDatabase", .blocking, .timeout(limits.opening), needs: settings, openDatabase.result,
      when: openDatabase.failed, teardown: { try $0.close() }
    ) { settings, opened in
      // Only what is damaged is replaced: not a file, say, that may not be read.
      guard case .failure(let damage as DamagedDatabase) = opened else { return try opened.get() }
      let (database, place) = try TrackerDatabase.reset(at: settings.database)
      logger.error("\(damage); it is at \(place) now, and a new one is begun")
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
