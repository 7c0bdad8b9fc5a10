import GRDB

/// A launch, as a row of `launch`.
public struct Launch: Codable, Sendable, Hashable, Identifiable {
  /// The identifier in the feed.
  public let id: String

  /// The flight number; 0 if the feed does not state it. It is not unique, because planned launches
  /// share numbers until their order is known.
  public var flightNumber: Int

  /// The name of the launch.
  public var name: String

  /// A description in a few sentences.
  public var details: String?

  /// The date, in Unix seconds.
  public var date: Int64

  /// Whether the launch was a success; `nil` if it is upcoming, or the result is not yet known.
  public var success: Bool?

  /// Whether the launch is upcoming.
  public var upcoming: Bool

  /// The identifier of the rocket.
  public var rocket: String?

  /// The precision of the date, such as `hour` or `month`; `nil` if the feed does not state it.
  public var datePrecision: String?

  /// The failures of the launch.
  public var failures: [LaunchFailure] = []

  /// Links to more information.
  public var links = LaunchLinks()
}

/// A failure of a launch.
public struct LaunchFailure: Codable, Sendable, Hashable {
  /// The time of the failure, in seconds since the launch; negative for a failure before it.
  public var time: Int?

  /// The altitude in kilometres.
  public var altitude: Int?

  /// The reason, as worded by the feed.
  public var reason: String?
}

/// Links to more information about a launch. All are `https` or `http` URLs.
public struct LaunchLinks: Codable, Sendable, Hashable {
  /// A video of the launch.
  public var webcast: String?

  /// A newspaper article.
  public var article: String?

  /// An encyclopedia article.
  public var wikipedia: String?

  /// A picture of the mission patch.
  public var patch: String?
}

extension Launch: FetchableRecord, PersistableRecord {
  /// The name of the table.
  public static let databaseTableName = "launch"
}
