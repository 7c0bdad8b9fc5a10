import Configuration
import Foundation

/// The settings of the service.
///
/// Every setting is an environment variable, such as `TRACKER_HTTP_PORT`. Some settings are also
/// command-line options, which take precedence over the variables.
public struct Settings: Sendable, Hashable {
  /// The host to listen on.
  public var host = "127.0.0.1"

  /// The port to listen on; 0 for any free port.
  public var port = 8080

  /// The maximum number of open connections. A few more are accepted, so that the server still
  /// answers new clients. While the maximum is exceeded, every answer is the last on its
  /// connection.
  public var connections = Settings.usualConnections

  /// The time after which an idle connection is closed. It is longer than the timeouts of most
  /// clients and load balancers, so that they do not send a request just as the server closes the
  /// connection.
  public var idle = Duration.seconds(75)

  /// The database file, in an existing folder.
  public var database = "tracker.sqlite"

  /// The feed's base address, to which paths such as `/v4/launches` are appended; `nil` for the
  /// bundled data.
  public var feed: String?

  /// The time between the end of a refresh and the start of the next.
  public var refreshEvery = Duration.seconds(300)

  /// The wait before the first refresh after a loss; each further wait is twice as long, up to
  /// ``refreshEvery``.
  public var retryAfter = Duration.seconds(10)

  /// The number of people shown at `/people`.
  public var people = 500_000

  /// The delay of every answer to a visitor, to test slow answers.
  public var answerDelay = Duration.zero

  /// Creates the default settings.
  public init() {}

  /// Reads the settings.
  ///
  /// - Parameter reader: The configuration, scoped to `tracker`.
  /// - Throws: ``SettingError`` for the first invalid value.
  public init(_ reader: ConfigReader) throws {
    let reader = SettingReader(reader)
    host = try reader.text("http.host", such: "127.0.0.1") ?? host
    port = try reader.number("http.port", 0...65_535) ?? port
    connections = try reader.number("http.connections", 1...1_000_000) ?? connections
    idle = try reader.seconds("http.idle.seconds") ?? idle
    database = try reader.text("database.path", such: "tracker.sqlite") ?? database
    feed = try reader.address("feed.url")
    refreshEvery = try reader.seconds("refresh.seconds") ?? refreshEvery
    retryAfter = try reader.seconds("refresh.retry.seconds") ?? retryAfter
    people = try reader.number("people.count", 0...2_000_000) ?? people
    answerDelay = try reader.milliseconds("answer.delay.ms") ?? answerDelay
  }
}

extension Settings {
  /// The default maximum number of connections, which is half of the process's limit on open files,
  /// but at most 1,000. The other half is left for the database, the feed and other files.
  public static var usualConnections: Int {
    let files = sysconf(CInt(_SC_OPEN_MAX))
    return files > 0 ? min(1_000, max(1, files / 2)) : 1_000
  }

  /// Returns the address of the service, such as `http://[::1]:8080`.
  ///
  /// - Parameter port: The port that the service listens on.
  /// - Returns: The address, without a slash at the end.
  package func address(on port: Int) -> String {
    host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
  }
}

/// The service's time limits. They are read before the pond is created, because they are part of
/// it.
public struct Limits: Sendable, Hashable {
  /// The time limit of an attempt to listen.
  public var listening = Duration.seconds(10)

  /// The time limit for opening the database, or for creating a new database in its place.
  public var opening = Duration.seconds(30)

  /// The time limit of an attempt to read a feed.
  public var feed = Duration.seconds(20)

  /// The time limit of an attempt to migrate the database.
  public var migration = Duration.seconds(60)

  /// The time during which the doors stay open after the process was told to end. Meanwhile, the
  /// status of `/health/ready` is 503, and every answer is the last on its connection. One second
  /// is enough for clients that reuse connections; a load balancer needs the time of two health
  /// checks.
  public var drainDelay = Duration.seconds(1)

  /// The time limit for answering the admitted requests after the doors have closed.
  public var drain = Duration.seconds(10)

  /// The time limit of the whole shutdown.
  public var shutdown = Duration.seconds(25)

  /// Creates the default limits.
  public init() {}

  /// Reads the limits.
  ///
  /// - Parameter reader: The configuration, scoped to `tracker`.
  /// - Throws: ``SettingError`` for the first invalid value.
  public init(_ reader: ConfigReader) throws {
    let reader = SettingReader(reader)
    listening = try reader.seconds("http.timeout.seconds") ?? listening
    opening = try reader.seconds("database.timeout.seconds") ?? opening
    feed = try reader.seconds("feed.timeout.seconds") ?? feed
    migration = try reader.seconds("migration.timeout.seconds") ?? migration
    drainDelay = try reader.delay("drain.delay.seconds") ?? drainDelay
    drain = try reader.seconds("drain.seconds") ?? drain
    shutdown = try reader.seconds("shutdown.seconds") ?? shutdown
  }
}
