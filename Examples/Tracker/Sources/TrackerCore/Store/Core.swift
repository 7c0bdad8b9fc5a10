import GRDB

/// A first stage, as a row of `core`.
public struct Core: Codable, Sendable, Hashable, Identifiable {
  /// The identifier in the feed.
  public let id: String

  /// The serial, such as `B1048`.
  public var serial: String

  /// The status, such as `active` or `lost`.
  public var status: String

  /// The number of repeated flights.
  public var reuseCount: Int
}

extension Core: FetchableRecord, PersistableRecord {
  /// The name of the table.
  public static let databaseTableName = "core"
}

extension Core {
  /// Returns a name for a core without a serial: the end of its identifier, such as `…3b2623`.
  static func shortName(of id: String) -> String { "…\(id.suffix(6))" }
}
