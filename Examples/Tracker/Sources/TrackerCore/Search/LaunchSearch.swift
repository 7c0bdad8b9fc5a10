import GRDB

/// A page of launches.
public struct LaunchPage: Sendable, Hashable, Codable {
  /// The launches, best first.
  public let launches: [Launch]

  /// By the identifier of a launch, where in it stands what was looked for; without those in which
  /// that is nowhere.
  public let marks: [String: LaunchMarks]

  /// How many launches fit the query, on all pages together.
  public let total: Int

  /// How many launches there are, whether they fit or not.
  public let all: Int

  /// What to ask for to get the next page; `nil` if this is the last.
  public let next: String?
}

/// Finds launches: every word of a query is the beginning of a word in the name or the details,
/// whatever its case and diacritics, or the year of the launch.
///
/// Ranked by where the words stand: in the name before in the details only, as a word before as the
/// beginning of one; then the newest first. This belongs to a launch and a query alone, and not, as
/// with the usual measures, also to how frequent a word is in all launches: those change with every
/// insert, and pages would repeat some launches and leave out others.
public struct LaunchSearch: Sendable {
  private let reader: any DatabaseReader
  private let pageSize: Int

  /// Makes a search.
  ///
  /// - Parameters:
  ///   - reader: The database, migrated.
  ///   - pageSize: How many launches a page has; at least 1.
  public init(reader: any DatabaseReader, pageSize: Int = 20) {
    self.reader = reader
    self.pageSize = max(1, pageSize)
  }

  /// A page of what fits a query.
  ///
  /// - Parameters:
  ///   - text: What somebody typed, all of it text. The newest launches if it is empty.
  ///   - cursor: The ``LaunchPage/next`` of the page before; the first page if `nil`.
  /// - Returns: The page; an empty one if nothing fits.
  /// - Throws: ``SearchRefusal``, or what the database says.
  /// - Complexity: O(launches that fit), whatever the page; without a query, O(launches) to count
  ///   them, without reading one.
  public func page(of text: String, after cursor: String? = nil) async throws -> LaunchPage {
    try await reader.read { database in
      let query = try SearchQuery(text, in: database)
      let cursor = try cursor.map { try SearchCursor($0, for: query) }
      let all = try Launch.fetchCount(database)
      guard let (sql, arguments) = statement(for: query, after: cursor) else {
        return LaunchPage(launches: [], marks: [:], total: 0, all: all, next: nil)
      }
      let rows = try Row.fetchAll(database, sql: sql, arguments: arguments)
      let page = rows.prefix(pageSize)
      let next = rows.count > pageSize ? page.last.map(Self.cursor) : nil
      let launches = try page.map(Launch.init(row:))
      return LaunchPage(
        launches: launches, marks: try Self.marks(of: query, in: launches, database),
        total: try Self.total(of: query, database) ?? all, all: all,
        next: next?.text(for: query))
    }
  }

  private static func marks(
    of query: SearchQuery, in launches: [Launch], _ database: Database
  ) throws -> [String: LaunchMarks] {
    guard case .words(let words) = query else { return [:] }
    let marker = try LaunchMarker(words, in: database)
    let marks = try launches.map { ($0.id, try marker.marks(in: $0)) }
    return Dictionary(uniqueKeysWithValues: marks.filter { !$0.1.isEmpty })
  }

  /// How many launches fit; `nil` if all do.
  private static func total(of query: SearchQuery, _ database: Database) throws -> Int? {
    guard case .words(let words) = query else { return nil }
    return try Int.fetchOne(
      database, sql: "SELECT count(*) FROM launchSearch WHERE launchSearch MATCH ?",
      arguments: [SearchQuery.pattern(of: words)])
  }

  private static func cursor(at row: Row) -> SearchCursor {
    SearchCursor(score: row["score"], date: row["date"], key: row["key"])
  }

  /// What to ask the database; one launch more than a page has, to know whether there is a next.
  private func statement(
    for query: SearchQuery, after cursor: SearchCursor?
  ) -> (sql: String, arguments: StatementArguments)? {
    switch query {
    case .nothing:
      return nil
    case .newest:
      let place = cursor.map { [$0.date, $0.key, Int64(pageSize + 1)] } ?? [Int64(pageSize + 1)]
      return (
        """
        SELECT launch.*, key, 0 AS score
        FROM launch JOIN launchSearchKey USING (id)
        \(cursor == nil ? "" : "WHERE (date, key) < (?, ?)")
        ORDER BY date DESC, key DESC LIMIT ?
        """, StatementArguments(place)
      )
    case .words(let words):
      let inName = words.map { "name : \"\($0)\" *" } + words.map { "name : \"\($0)\"" }
      let score = Array(repeating: "(rowid IN (\(Self.matching)))", count: inName.count)
      let place = cursor.map { [Int64($0.score), $0.date, $0.key] } ?? []
      return (
        """
        WITH hit AS (
          SELECT rowid AS key, \(score.joined(separator: " + ")) AS score
          FROM launchSearch WHERE launchSearch MATCH ?
        )
        SELECT launch.*, hit.key, hit.score
        FROM hit JOIN launchSearchKey USING (key) JOIN launch USING (id)
        \(cursor == nil ? "" : "WHERE (score, date, key) < (?, ?, ?)")
        ORDER BY score DESC, date DESC, key DESC LIMIT ?
        """,
        StatementArguments(inName + [SearchQuery.pattern(of: words)])
          + StatementArguments(place + [Int64(pageSize + 1)])
      )
    }
  }

  private static let matching = "SELECT rowid FROM launchSearch WHERE launchSearch MATCH ?"
}
