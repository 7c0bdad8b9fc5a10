import Foundation
import GRDB
import Hummingbird
import People

/// Adds routes that send the data shown on Home, and additional data for apps:
///
/// | | |
/// |---|---|
/// | `GET /home` | the launches ahead, and the latest ones |
/// | `GET /home/latest?after=` | the latest launches, page by page |
/// | `GET /home/failures?page=&size=` | the failed launches |
/// | `GET /home/cores?page=&size=` | the first stages, by their number of flights |
/// | `GET /home/people` | some people |
/// | `GET /rockets`, `GET /cores?page=&size=` | all rockets, and all first stages by their serial |
///
/// - Parameters:
///   - router: The router that gets the routes.
///   - reader: The migrated database.
///   - people: The access to the people service.
///   - now: A closure that returns the current time, to determine which launches are ahead.
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

/// The size of a page of a list, and the offset of its first item.
struct PageNumber: Sendable {
  let size: Int
  let offset: Int

  /// Parses the page number and the page size in a query.
  ///
  /// - Throws: An error with the status 400 if a number is invalid.
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

/// A person, as shown on Home.
public struct SomePerson: Sendable, Hashable, Codable, Identifiable {
  /// The number of the person.
  public let id: Int

  /// The full name.
  public let name: String

  /// The blood type, such as `A+`.
  public let bloodType: String

  /// The shoe size, in the European system.
  public let shoeSize: Double

  /// Returns three people, or all people if there are fewer. The same people are returned all day,
  /// and different ones each day if there are enough people.
  static func some(of people: People, day: Int) -> [SomePerson] {
    guard people.count > 0 else { return [] }
    // A step without a common factor with the count gives other people each time. This one is a
    // prime, and larger than the count.
    let step = 2_147_483_647
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
