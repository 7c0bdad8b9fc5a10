import GRDB

/// A launch, as it is stored: one row of `launch`.
public struct Launch: Codable, Sendable, Hashable, Identifiable {
  /// The identifier that the feed gave it.
  public let id: String

  /// Not an identity: planned launches share numbers until their order is known.
  public var flightNumber: Int

  /// What people call it.
  public var name: String

  /// Some sentences about it.
  public var details: String?

  /// When, in seconds since 1970, UTC.
  public var date: Int64

  /// `nil` while it is ahead, or when it is not known yet how it went.
  public var success: Bool?

  /// Whether it is still ahead.
  public var upcoming: Bool

  /// The identifier of the rocket.
  public var rocket: String?

  /// How exact the date is, such as `hour` or `month`; `nil` if the feed did not say.
  public var datePrecision: String?

  /// What went wrong.
  public var failures: [LaunchFailure] = []

  /// Where there is more about it.
  public var links = LaunchLinks()
}

/// Something that went wrong with a launch.
public struct LaunchFailure: Codable, Sendable, Hashable {
  /// How many seconds after the launch, or before it.
  public var time: Int?

  /// How high, in kilometres.
  public var altitude: Int?

  /// Why, in the words of the feed.
  public var reason: String?
}

/// Where there is more about a launch: addresses of the web, each with `https` or `http`.
public struct LaunchLinks: Codable, Sendable, Hashable {
  /// A film of it.
  public var webcast: String?

  /// What a newspaper wrote.
  public var article: String?

  /// What an encyclopedia says.
  public var wikipedia: String?

  /// A picture of its patch.
  public var patch: String?
}

extension Launch: FetchableRecord, PersistableRecord {
  /// The table.
  public static let databaseTableName = "launch"
}
