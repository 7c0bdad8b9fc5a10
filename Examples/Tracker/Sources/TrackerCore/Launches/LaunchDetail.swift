import GRDB

/// All that is known of a launch, and which ones are next to it.
public struct LaunchDetail: Sendable, Hashable, Codable {
  /// The launch.
  public let launch: Launch

  /// Its first stages.
  public let cores: [FlownCore]

  /// The one before it, by date.
  public let previous: Neighbour?

  /// The one after it.
  public let next: Neighbour?

  /// A first stage, with what it did on the launch.
  public struct FlownCore: Sendable, Hashable, Codable {
    /// What people call it; `nil` if nothing is known of it.
    public let serial: String?

    /// What it did.
    public let flight: LaunchCore
  }

  /// A launch next to another.
  public struct Neighbour: Sendable, Hashable, Codable, FetchableRecord {
    /// Which one.
    public let id: String

    /// What people call it.
    public let name: String
  }

  /// Reads a launch.
  ///
  /// - Parameters:
  ///   - id: Which one.
  ///   - database: Where it is.
  /// - Returns: It; `nil` if there is none.
  /// - Throws: What the database says.
  /// - Complexity: O(log(launches)).
  static func fetch(_ id: String, _ database: Database) throws -> LaunchDetail? {
    guard let launch = try Launch.fetchOne(database, key: id) else { return nil }
    let cores = try Row.fetchAll(
      database,
      sql: """
        SELECT launchCore.*, core.serial FROM launchCore LEFT JOIN core ON core.id = launchCore.core
        WHERE launch = ? ORDER BY position
        """, arguments: [id])
    return LaunchDetail(
      launch: launch,
      cores: try cores.map { FlownCore(serial: $0["serial"], flight: try LaunchCore(row: $0)) },
      previous: try neighbour(of: launch, "<", "DESC", database),
      next: try neighbour(of: launch, ">", "ASC", database))
  }

  /// In the order of lists: those of one date have one as well.
  private static func neighbour(
    of launch: Launch, _ relation: String, _ order: String, _ database: Database
  ) throws -> Neighbour? {
    try Neighbour.fetchOne(
      database,
      sql: """
        SELECT id, name FROM launch JOIN launchSearchKey USING (id)
        WHERE (date, key) \(relation) (?, (SELECT key FROM launchSearchKey WHERE id = ?))
        ORDER BY date \(order), key \(order) LIMIT 1
        """, arguments: [launch.date, launch.id])
  }
}
