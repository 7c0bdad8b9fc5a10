import GRDB
import Hummingbird

/// The database queries of Home.
enum HomeQueries {
  /// The SQL expression for the time after which a launch is overdue.
  private static let end: String = {
    let spans = LaunchDate.Precision.allCases.map { "WHEN '\($0.rawValue)' THEN \($0.span)" }
    let usual = LaunchDate.Precision.day.span
    return "(date + CASE datePrecision \(spans.joined(separator: " ")) ELSE \(usual) END)"
  }()

  /// Returns at most five launches: the launches ahead, soonest first, followed by the overdue
  /// launches, latest first. An inexact date is treated as the end of its period. For example, a
  /// launch planned for this month stays ahead for the whole month.
  static func next(_ database: Database, now: Int64) throws -> [Launch] {
    try Launch.fetchAll(
      database,
      sql: """
        SELECT * FROM launch WHERE upcoming
        ORDER BY \(end) < :now, CASE WHEN \(end) < :now THEN -\(end) ELSE \(end) END, id LIMIT 5
        """, arguments: ["now": now])
  }

  /// The latest launches, and the place at which the next page begins.
  struct Latest {
    let launches: [Launch]
    let next: Place?
  }

  /// The place in the list of launches at which a page begins. It stays valid when launches are
  /// added.
  struct Place: Sendable {
    let date: Int64
    let id: String

    var text: String { "\(date):\(id)" }

    var arguments: StatementArguments { [date, id] }

    init(_ launch: Launch) {
      (date, id) = (launch.date, launch.id)
    }

    /// Parses a place.
    ///
    /// - Throws: An error with the status 400 if the string is not a valid place.
    init(_ text: String) throws {
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let date = Int64(parts[0]) else {
        throw HTTPError(.badRequest, message: "`after` has to be the `next` of an earlier page")
      }
      (self.date, id) = (date, String(parts[1]))
    }
  }

  static func latest(_ database: Database, after place: Place? = nil) throws -> Latest {
    let size = HomeSections.pageSize
    let rows = try Launch.fetchAll(
      database,
      sql: """
        SELECT * FROM launch WHERE NOT upcoming \(place == nil ? "" : "AND (date, id) < (?, ?)")
        ORDER BY date DESC, id DESC LIMIT ?
        """, arguments: (place?.arguments ?? []) + [size + 1])
    let page = Array(rows.prefix(size))
    return Latest(launches: page, next: rows.count > size ? page.last.map(Place.init) : nil)
  }

  static func failures(_ database: Database, _ page: PageNumber) throws -> [Launch] {
    try Launch.fetchAll(
      database,
      sql: """
        SELECT * FROM launch WHERE success = 0 AND NOT upcoming
        ORDER BY date DESC, id DESC LIMIT ? OFFSET ?
        """, arguments: [page.size, page.offset])
  }

  static func mostFlown(_ database: Database, _ page: PageNumber) throws -> [FlownCore] {
    try FlownCore.fetchAll(
      database,
      sql: """
        SELECT launchCore.core AS id, core.serial, core.status, count(*) AS flights,
          coalesce(sum(landingSuccess), 0) AS landings, max(date) AS latest
        FROM launchCore JOIN launch ON launch.id = launchCore.launch
          LEFT JOIN core ON core.id = launchCore.core
        WHERE launchCore.core IS NOT NULL AND NOT upcoming
        GROUP BY launchCore.core ORDER BY flights DESC, latest DESC, launchCore.core
        LIMIT ? OFFSET ?
        """, arguments: [page.size, page.offset])
  }

  static func cores(_ database: Database, _ page: PageNumber) throws -> [Core] {
    try Core.fetchAll(
      database, sql: "SELECT * FROM core ORDER BY serial, id LIMIT ? OFFSET ?",
      arguments: [page.size, page.offset])
  }

  static func rockets(_ database: Database) throws -> [Rocket] {
    try Rocket.fetchAll(
      database,
      sql: """
        SELECT rocket AS id, count(*) AS launches, coalesce(sum(success), 0) AS successes,
          sum(upcoming) AS upcoming, max(date) AS latest
        FROM launch WHERE rocket IS NOT NULL GROUP BY rocket ORDER BY launches DESC, id
        """)
  }
}

/// A first stage, with its flights.
public struct FlownCore: Sendable, Hashable, Codable, Identifiable, FetchableRecord {
  /// The identifier in the feed.
  public let id: String

  /// The serial; `nil` if the core is known only from launches.
  public let serial: String?

  /// The status, such as `active` or `lost`.
  public let status: String?

  /// The number of flights.
  public let flights: Int

  /// The number of landings.
  public let landings: Int

  /// The time of the last flight, in Unix seconds.
  public let latest: Int64
}

/// A rocket, with its launches.
struct Rocket: Sendable, Hashable, Codable, Identifiable, FetchableRecord {
  /// The identifier in the feed.
  let id: String

  /// The number of launches, including upcoming ones.
  let launches: Int

  /// The number of successful launches.
  let successes: Int

  /// The number of upcoming launches.
  let upcoming: Int

  /// The time of the last launch, past or upcoming, in Unix seconds.
  let latest: Int64
}
