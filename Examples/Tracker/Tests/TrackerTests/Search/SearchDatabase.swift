import Foundation
import GRDB

@testable import TrackerCore

/// A database in a separate file, with the tracker's tables.
final class SearchDatabase: Sendable {
  let pool: DatabasePool
  private let folder: URL

  init(_ launches: [Launch] = []) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "search-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    pool = try DatabasePool(path: folder.appending(path: "tracker.sqlite").path)
    try trackerMigrator().migrate(pool)
    try save(launches)
  }

  deinit {
    try? pool.close()
    try? FileManager.default.removeItem(at: folder)
  }

  func save(_ launches: [Launch]) throws {
    try pool.write { database in
      for launch in launches { try launch.upsert(database) }
    }
  }

  func execute(_ sql: String, _ arguments: StatementArguments = []) throws {
    try pool.write { try $0.execute(sql: sql, arguments: arguments) }
  }

  func page(
    of text: String, after cursor: String? = nil, pageSize: Int = 20
  ) async throws -> LaunchPage {
    try await LaunchSearch(reader: pool, pageSize: pageSize).page(of: text, after: cursor)
  }

  /// Returns the names of all launches found, reading them page by page.
  func names(_ text: String, pageSize: Int = 20) async throws -> [String] {
    var names: [String] = []
    var cursor: String?
    repeat {
      let found = try await page(of: text, after: cursor, pageSize: pageSize)
      names += found.launches.map(\.name)
      cursor = found.next
    } while cursor != nil
    return names
  }
}

extension Launch {
  /// Returns a successful launch on the given day.
  static func named(
    _ name: String, _ details: String? = nil, day: Int = 0, id: String? = nil
  ) -> Launch {
    Launch(
      id: id ?? name, flightNumber: day, name: name, details: details, date: Int64(day) * 86_400,
      success: true, upcoming: false, rocket: "falcon9")
  }
}
