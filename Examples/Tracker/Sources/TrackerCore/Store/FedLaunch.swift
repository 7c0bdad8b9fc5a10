import GRDB

/// A launch of a feed with its first stages. It is stored as a row of `launch`, and rows of
/// `launchCore` that replace earlier ones of the launch.
public struct FedLaunch: Sendable, Hashable {
  /// The row of the launch.
  public var launch: Launch

  /// Its first stages.
  public var cores: [LaunchCore] = []
}

extension FedLaunch: PersistableRecord {
  /// The table of the launch itself.
  public static let databaseTableName = Launch.databaseTableName

  /// Encodes the columns of the launch.
  ///
  /// - Parameter container: The container for the columns.
  /// - Throws: The error of GRDB for a value that cannot be stored.
  public func encode(to container: inout PersistenceContainer) throws {
    try launch.encode(to: &container)
  }

  /// Saves the launch, and then its first stages.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - save: A closure that saves the launch.
  /// - Throws: The errors of SQLite.
  public func aroundSave(_ database: Database, save: () throws -> PersistenceSuccess) throws {
    _ = try save()
    try database.cachedStatement(sql: "DELETE FROM launchCore WHERE launch = ?")
      .execute(arguments: [launch.id])
    for core in cores { try core.insert(database) }
  }
}
