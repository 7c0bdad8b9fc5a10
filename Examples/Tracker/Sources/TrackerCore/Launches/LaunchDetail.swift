import GRDB

/// A launch with all its data, and the launches next to it.
public struct LaunchDetail: Sendable, Hashable, Codable {
  /// The launch.
  public let launch: Launch

  /// The first stages of the launch.
  public let cores: [FlownCore]

  /// The previous launch, by date; `nil` if this launch is the first.
  public let previous: Neighbour?

  /// The next launch, by date; `nil` if this launch is the last.
  public let next: Neighbour?

  /// A first stage, with its flight on the launch.
  public struct FlownCore: Sendable, Hashable, Codable {
    /// The serial; `nil` if the core is unknown.
    public let serial: String?

    /// The flight on the launch.
    public let flight: LaunchCore
  }

  /// The launch before or after another one.
  public struct Neighbour: Sendable, Hashable, Codable, FetchableRecord {
    /// The identifier of the launch.
    public let id: String

    /// The name of the launch.
    public let name: String
  }

  /// Reads a launch from the database.
  ///
  /// - Parameters:
  ///   - id: The identifier of the launch.
  ///   - database: The database.
  /// - Returns: The launch; `nil` if no launch has the identifier.
  /// - Throws: Database errors.
  /// - Complexity: O((*m* + 1) log *n*), where *n* is the number of launches and *m* is the number
  ///   of launches with the same date.
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

  /// Returns the launch before or after a launch, by date. Launches with the same date are in the
  /// same order as in lists.
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
