import Foundation
import GRDB
import Hummingbird
import People

/// Adds what Home is made of, and more of it for apps:
///
/// | | |
/// |---|---|
/// | `GET /home` | the launches ahead, and those that were last |
/// | `GET /home/latest?after=` | the launches that were last, page by page |
/// | `GET /home/failures?page=&size=` | the launches that failed |
/// | `GET /home/cores?page=&size=` | the first stages, those that flew most first |
/// | `GET /home/people` | some people |
/// | `GET /rockets`, `GET /cores?page=&size=` | all rockets, and all first stages by their serial |
///
/// - Parameters:
///   - router: Gets the routes.
///   - reader: The database, migrated.
///   - people: Where people are asked for.
///   - now: What time it is, to tell what is ahead.
func addHomeAnswers<Context: RequestContext>(
  to router: some RouterMethods<Context>, reader: any DatabaseReader, people: PeopleRoom,
  now: @escaping @Sendable () -> Date
) {
  router.get("home") { _, _ in
    let time = Int64(now().timeIntervalSince1970)
    return try await reader.read {
      HomeAnswer(
        next: try HomeQueries.next($0, now: time), latest: try HomeQueries.latest($0).launches)
    }
  }
  router.get("home/latest") { request, _ in
    let place = try FormQuery(request.uri.query)["after"].map(HomeQueries.Place.init)
    return try await reader.read { try HomeQueries.latest($0, after: place).answer }
  }
  router.get("home/failures") { request, _ in
    let page = try PageNumber(request)
    return try await reader.read { ["failures": try HomeQueries.failures($0, page)] }
  }
  router.get("home/cores") { request, _ in
    let page = try PageNumber(request)
    return try await reader.read { ["cores": try HomeQueries.mostFlown($0, page)] }
  }
  router.get("home/people") { _, _ in
    guard let all = try? people.people.people else {
      throw HTTPError(.serviceUnavailable, message: "the people are being made")
    }
    let day = Int(now().timeIntervalSince1970 / 86_400)
    return ["people": SomePerson.some(of: all, day: day)]
  }
  router.get("rockets") { _, _ in
    try await reader.read { ["rockets": try HomeQueries.rockets($0)] }
  }
  router.get("cores") { request, _ in
    let page = try PageNumber(request)
    return try await reader.read { ["cores": try HomeQueries.cores($0, page)] }
  }
}

/// A page of a list that has numbers.
struct PageNumber: Sendable {
  let size: Int
  let offset: Int

  /// - Throws: 400 if the numbers cannot be meant.
  init(_ request: Request) throws {
    let query = FormQuery(request.uri.query)
    size = try query.number("size", in: 1...500) ?? 50
    let page = try query.number("page", in: 1...1_000_000) ?? 1
    offset = (page - 1) * size
  }
}

private struct HomeAnswer: ResponseEncodable, Encodable {
  let next: [Launch]
  let latest: [Launch]
}

private struct LatestAnswer: ResponseEncodable, Encodable {
  let latest: [Launch]
  let next: String?
}

extension HomeQueries.Latest {
  fileprivate var answer: LatestAnswer { LatestAnswer(latest: launches, next: next?.text) }
}

/// One of the people, as Home shows them.
public struct SomePerson: Sendable, Hashable, Codable, Identifiable {
  /// The number of the person.
  public let id: Int

  /// The words of the name, between blanks.
  public let name: String

  /// Such as `A+`.
  public let bloodType: String

  /// In European sizes.
  public let shoeSize: Double

  /// Three people, others each day, and the same all day long.
  static func some(of people: People, day: Int) -> [SomePerson] {
    guard people.count > 0 else { return [] }
    // A step that has no factor with the count in common leads to others each time.
    let step = 7_919
    return (0..<min(3, people.count)).map { place in
      let (many, _) = (day &* 3 &+ place).multipliedReportingOverflow(by: step)
      let person = people[Int(many.magnitude % UInt(people.count))]
      return SomePerson(
        id: person.number, name: person.name, bloodType: person.bloodType.name,
        shoeSize: person.shoeSize.number)
    }
  }
}

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
