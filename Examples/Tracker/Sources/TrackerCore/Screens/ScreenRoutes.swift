import GRDB
import Hummingbird

/// Adds what the screens are made of: `GET /home`, `GET /rockets` and `GET /cores?page=&size=`.
///
/// - Parameters:
///   - router: Gets the routes.
///   - reader: The database, migrated.
public func addScreenRoutes<Context: RequestContext>(
  to router: some RouterMethods<Context>, reader: any DatabaseReader
) {
  router.get("home") { _, _ in try await HomeAnswer(reader) }
  router.get("rockets") { _, _ in try await RocketsAnswer(reader) }
  router.get("cores") { request, _ in
    let query = FormQuery(request.uri.query)
    return try await CoresAnswer(
      reader, page: try query.number("page", in: 1...1_000_000) ?? 1,
      size: try query.number("size", in: 1...500) ?? 50)
  }
}

private struct HomeAnswer: ResponseEncodable, Encodable {
  let next: [Launch]
  let latest: [Launch]

  init(_ reader: any DatabaseReader) async throws {
    (next, latest) = try await reader.read { database in
      (
        try Launch.fetchAll(
          database, sql: "SELECT * FROM launch WHERE upcoming ORDER BY date, id LIMIT 3"),
        try Launch.fetchAll(
          database,
          sql: "SELECT * FROM launch WHERE NOT upcoming ORDER BY date DESC, id LIMIT 5")
      )
    }
  }
}

private struct RocketsAnswer: ResponseEncodable, Encodable {
  let rockets: [Screens.Rocket]

  init(_ reader: any DatabaseReader) async throws {
    rockets = try await reader.read { database in
      try Screens.Rocket.fetchAll(
        database,
        sql: """
          SELECT rocket AS id, count(*) AS launches, coalesce(sum(success), 0) AS successes,
            sum(upcoming) AS upcoming, max(date) AS latest
          FROM launch WHERE rocket IS NOT NULL GROUP BY rocket ORDER BY launches DESC, id
          """)
    }
  }
}

private struct CoresAnswer: ResponseEncodable, Encodable {
  let cores: [Core]

  init(_ reader: any DatabaseReader, page: Int, size: Int) async throws {
    cores = try await reader.read { database in
      try Core.fetchAll(
        database, sql: "SELECT * FROM core ORDER BY serial, id LIMIT ? OFFSET ?",
        arguments: [size, (page - 1) * size])
    }
  }
}

extension Screens.Rocket: FetchableRecord {}

extension FormQuery {
  fileprivate func number(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
    guard let text = self[name], !text.isEmpty else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw HTTPError(
        .badRequest,
        message: "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
