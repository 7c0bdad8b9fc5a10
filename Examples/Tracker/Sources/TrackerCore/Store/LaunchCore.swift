import GRDB

/// The flight of a first stage on a launch, as it is stored: one row of `launchCore`.
public struct LaunchCore: Codable, Sendable, Hashable {
  /// The identifier of the launch.
  public let launch: String

  /// Which of the launch's first stages it was, from 0.
  public let position: Int

  /// The identifier of the core, which may be one that nobody knows; `nil` if it is not yet known.
  public var core: String?

  /// Which of the core's flights it was, the first being 1.
  public var flight: Int?

  /// Whether it had flown before.
  public var reused: Bool?

  /// Whether it was to land.
  public var landingAttempt: Bool?

  /// Whether it landed.
  public var landingSuccess: Bool?

  /// Where it was to land: such as `ASDS`, on a ship, or `RTLS`, on land.
  public var landingType: String?
}

extension LaunchCore: FetchableRecord, PersistableRecord {
  /// The table.
  public static let databaseTableName = "launchCore"
}
