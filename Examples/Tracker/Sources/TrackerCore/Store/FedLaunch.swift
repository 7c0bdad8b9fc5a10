import GRDB

/// A launch from a feed, with its first stages. It is stored as a row of `launch` and as rows of
/// `launchCore`, which replace all earlier rows for the same launch.
public struct FedLaunch: Sendable, Hashable {
  /// The row of the launch.
  public var launch: Launch

  /// The rows of the first stages.
  public var cores: [LaunchCore] = []
}

extension FedLaunch: PersistableRecord {
  /// The name of the table for the launch itself.
  public static let databaseTableName = Launch.databaseTableName

  /// Encodes the columns of the launch.
  ///
  /// - Parameter container: The container for the columns.
  /// - Throws: A GRDB error if a value cannot be stored.
  public func encode(to container: inout PersistenceContainer) throws {
    try launch.encode(to: &container)
  }

  /// Saves the launch, and then its first stages.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - save: A closure that saves the launch.
  /// - Throws: SQLite errors.
  public func aroundSave(_ database: Database, save: () throws -> PersistenceSuccess) throws {
    _ = try save()
    try database.cachedStatement(sql: "DELETE FROM launchCore WHERE launch = ?")
      .execute(arguments: [launch.id])
    for core in cores { try core.insert(database) }
  }
}
