import GRDB

/// A launch with what belongs to it, as a feed has it. Stored, it is a row of `launch`, with rows
/// of
/// `launchCore` in the place of those that the launch had before.
public struct FedLaunch: Sendable, Hashable {
  /// Its row.
  public var launch: Launch

  /// Its first stages.
  public var cores: [LaunchCore] = []
}

extension FedLaunch: PersistableRecord {
  /// The table of the launch itself.
  public static let databaseTableName = Launch.databaseTableName

  /// The columns of the launch.
  ///
  /// - Parameter container: Gets them.
  /// - Throws: What GRDB says of a value that it cannot store.
  public func encode(to container: inout PersistenceContainer) throws {
    try launch.encode(to: &container)
  }

  /// Stores what belongs to the launch, once that is there.
  ///
  /// - Parameters:
  ///   - database: Where to.
  ///   - save: Stores the launch.
  /// - Throws: What SQLite says.
  public func aroundSave(_ database: Database, save: () throws -> PersistenceSuccess) throws {
    _ = try save()
    try database.cachedStatement(sql: "DELETE FROM launchCore WHERE launch = ?")
      .execute(arguments: [launch.id])
    for core in cores { try core.insert(database) }
  }
}
