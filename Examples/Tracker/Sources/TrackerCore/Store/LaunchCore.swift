import GRDB

/// The flight of a first stage on a launch, as a row of `launchCore`.
public struct LaunchCore: Codable, Sendable, Hashable {
  /// The identifier of the launch.
  public let launch: String

  /// The zero-based index of the first stage in the launch.
  public let position: Int

  /// The identifier of the core; `nil` if no core has been assigned yet. The core may be missing
  /// from the cores feed.
  public var core: String?

  /// The number of this flight among the core's flights, starting at 1.
  public var flight: Int?

  /// Whether the core had flown before this launch.
  public var reused: Bool?

  /// Whether a landing was attempted.
  public var landingAttempt: Bool?

  /// Whether the core landed.
  public var landingSuccess: Bool?

  /// The kind of landing, such as `ASDS` on a ship or `RTLS` on land.
  public var landingType: String?
}

extension LaunchCore: FetchableRecord, PersistableRecord {
  /// The name of the table.
  public static let databaseTableName = "launchCore"
}
