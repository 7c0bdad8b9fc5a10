import GRDB

/// A page of search results.
public struct LaunchPage: Sendable, Hashable, Codable {
  /// The launches, best match first; the newest first if the query is empty.
  public let launches: [Launch]

  /// The marked search words, keyed by launch identifier. Launches without marks are left out.
  public let marks: [String: LaunchMarks]

  /// The total number of matches on all pages.
  public let total: Int

  /// The number of all launches, matching or not.
  public let all: Int

  /// The cursor of the next page; `nil` if this page is the last.
  public let next: String?
}

/// A search for launches. Every word of a query must be the year of the launch, or the beginning of
/// a word in its name or its details, ignoring case and diacritics.
///
/// Launches whose names contain more words of the query come first. A word counts twice if it is a
/// whole word of the name. Among launches with equal counts, the newest come first. The rank
/// depends only on the launch and the query. The usual relevance measures also depend on how
/// frequent the words are in all launches. These frequencies change with every insert, so pages
/// would repeat or skip launches.
public struct LaunchSearch: Sendable {
  private let reader: any DatabaseReader
  private let pageSize: Int

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - reader: The migrated database.
  ///   - pageSize: The number of launches per page; at least 1.
  public init(reader: any DatabaseReader, pageSize: Int = 20) {
    self.reader = reader
    self.pageSize = max(1, pageSize)
  }

  /// Returns a page of the launches that match a query.
  ///
  /// - Parameters:
  ///   - text: The text that the user typed, which has no special syntax. If it is empty, all
  ///     launches match, and the newest come first.
  ///   - cursor: The ``LaunchPage/next`` of the previous page; `nil` for the first page.
  /// - Returns: The page; empty if there are no matches.
  /// - Throws: ``SearchRefusal`` or database errors.
  /// - Complexity: O(*m*) for any page, where *m* is the number of matches. For an empty query,
  ///   O(*n*), where *n* is the number of launches, which are counted but not read.
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
    // SQLite tells identifiers apart that are equal in Swift, because they differ only in the
    // encoding of an accent. The marks of such launches would be those of another one.
    return try Dictionary(grouping: launches, by: \.id).compactMapValues { equal in
      guard equal.count == 1 else { return nil }
      let marks = try marker.marks(in: equal[0])
      return marks.isEmpty ? nil : marks
    }
  }

  /// Returns the number of matches; `nil` if all launches match.
  private static func total(of query: SearchQuery, _ database: Database) throws -> Int? {
    guard case .words(let words) = query else { return nil }
    return try Int.fetchOne(
      database, sql: "SELECT count(*) FROM launchSearch WHERE launchSearch MATCH ?",
      arguments: [SearchQuery.pattern(of: words)])
  }

  private static func cursor(at row: Row) -> SearchCursor {
    SearchCursor(score: row["score"], date: row["date"], key: row["key"])
  }

  /// Returns the SQL for a page and one more launch, which shows whether there is a next page.
  /// Returns `nil` for a query that matches no launch.
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
