import GRDB

/// A first stage, as it is stored: one row of `core`.
public struct Core: Codable, Sendable, Hashable, Identifiable {
  /// The identifier that the feed gave it.
  public let id: String

  /// What people call it, such as `B1048`.
  public var serial: String

  /// Such as `active` or `lost`.
  public var status: String

  /// How often it flew again.
  public var reuseCount: Int
}

extension Core: FetchableRecord, PersistableRecord {
  /// The table.
  public static let databaseTableName = "core"
}

extension Core {
  /// The name of a core whose serial is not known: the end of its identifier, such as `…3b2623`.
  static func shortName(of id: String) -> String { "…\(id.suffix(6))" }
}
