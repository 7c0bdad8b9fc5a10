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
}

extension Launch: FetchableRecord, PersistableRecord {
  /// The table.
  public static let databaseTableName = "launch"
}
