import Configuration
import Foundation

/// What the service is told from outside.
///
/// Every setting is an environment variable, such as `TRACKER_HTTP_PORT`, and some are options of
/// the command, which go first.
public struct Settings: Sendable, Hashable {
  /// Where to listen.
  public var host = "127.0.0.1"

  /// On which port; 0 for one that is free.
  public var port = 8080

  /// How many connections are open at a time. A few more are let in, so that those who come find
  /// one who answers; every answer is the last of its connection then.
  public var connections = Settings.usualConnections

  /// How long a connection stays open on which nothing is asked: longer than most clients and
  /// balancers keep one, lest they send a request just as it is closed.
  public var idle = Duration.seconds(75)

  /// The file of the database; its folder exists.
  public var database = "tracker.sqlite"

  /// What comes before `/v4/launches`; `nil` for the data that comes with the package.
  public var feed: String?

  /// How long after one refresh the next one begins.
  public var refreshEvery = Duration.seconds(300)

  /// How long after something was lost the first refresh comes; each one after that takes twice as
  /// long, up to the usual time.
  public var retryAfter = Duration.seconds(10)

  /// How many people there are to be looked for at `/people`.
  public var people = 500_000

  /// How long every answer to a visitor waits, to try what a slow one does.
  public var answerDelay = Duration.zero

  /// The settings that count if nothing is said.
  public init() {}

  /// Reads the settings.
  ///
  /// - Parameter reader: Where from, below `tracker`.
  /// - Throws: ``SettingError`` for the first value that cannot be meant.
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
  /// Half as many as the process may have files open, and at most 1,000: what is left is for the
  /// database, the feed and whatever else it opens.
  public static var usualConnections: Int {
    let files = sysconf(CInt(_SC_OPEN_MAX))
    return files > 0 ? min(1_000, max(1, files / 2)) : 1_000
  }

  /// Where it is to be found, such as `http://[::1]:8080`.
  ///
  /// - Parameter port: On which port it listens.
  /// - Returns: The address, without a slash at the end.
  package func address(on port: Int) -> String {
    host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
  }
}

/// How long things may take. They are part of the pond, so they are read before it is made.
public struct Limits: Sendable, Hashable {
  /// One attempt to listen.
  public var listening = Duration.seconds(10)

  /// To open the database, or a new one in its place.
  public var opening = Duration.seconds(30)

  /// One attempt to read a feed.
  public var feed = Duration.seconds(20)

  /// One attempt to migrate the database.
  public var migration = Duration.seconds(60)

  /// How long the doors stay open after the process was told to end: until then `/health/ready` is
  /// 503, and every answer the last of its connection. A second is enough for clients that keep
  /// connections in use; a balancer needs as long as it takes to ask twice.
  public var drainDelay = Duration.seconds(1)

  /// How long visitors have to get their answers once the process is to end.
  public var drain = Duration.seconds(10)

  /// How long all of the shutdown takes.
  public var shutdown = Duration.seconds(25)

  /// The limits that count if nothing is said.
  public init() {}

  /// Reads the limits.
  ///
  /// - Parameter reader: Where from, below `tracker`.
  /// - Throws: ``SettingError`` for the first value that cannot be meant.
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
