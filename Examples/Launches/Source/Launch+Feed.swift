import Foundation

/// The r/SpaceX v4 shape of a launch. Fields not named here are ignored, and of those named only
/// `id`, `name` and a date have to be there.
extension Launch: FeedItem {
  static let feedName = "launches"

  init(fromFeed decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: FeedKeys.self)
    id = try fields.identifier(forKey: .id)
    name = try fields.decode(String.self, forKey: .name)
    flightNumber = try fields.integerIfPresent(forKey: .flightNumber)
    date = try fields.launchDate()
    // A precision from a later version of the API must not cost the whole load.
    datePrecision =
      try fields.decodeIfPresent(String.self, forKey: .datePrecision)
      .flatMap(DatePrecision.init(rawValue:)) ?? .day
    isUpcoming = try fields.decodeIfPresent(Bool.self, forKey: .upcoming) ?? false
    succeeded = try fields.decodeIfPresent(Bool.self, forKey: .success)
    crewSize = try fields.decodeIfPresent([Anything].self, forKey: .crew)?.count ?? 0
    cores =
      try fields.decodeIfPresent([CoreFlightDocument].self, forKey: .cores)?
      .map(\.coreFlight) ?? []
  }

  fileprivate enum FeedKeys: String, CodingKey {
    case id, name, upcoming, success, crew, cores
    case flightNumber = "flight_number"
    case dateUTC = "date_utc"
    case dateUnix = "date_unix"
    case datePrecision = "date_precision"
  }
}

private struct CoreFlightDocument: Decodable {
  let coreFlight: CoreFlight

  private enum CodingKeys: String, CodingKey {
    case core, flight
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    coreFlight = CoreFlight(
      coreID: try fields.decodeIfPresent(String.self, forKey: .core),
      flight: try fields.integerIfPresent(forKey: .flight))
  }
}

/// A value of any shape: the API has had crews as identifiers and as objects.
private struct Anything: Decodable {
  init(from decoder: any Decoder) throws {}
}

extension KeyedDecodingContainer<Launch.FeedKeys> {
  /// The calendar and the screens are made for years of four digits.
  private static var seconds: Range<Double> { 0..<253_402_300_800 }

  /// The date as text, or else as seconds since 1970; in whole seconds, as the store keeps it.
  fileprivate func launchDate() throws -> Date {
    if let text = try decodeIfPresent(String.self, forKey: .dateUTC) {
      let exact = try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
      let date = exact ?? (try? Date.ISO8601FormatStyle().parse(text))
      guard let seconds = date?.timeIntervalSince1970, Self.seconds.contains(seconds) else {
        throw fault(.dateUTC, "should be a date from 1970 on, such as 2006-03-24T22:30:00.000Z")
      }
      return Date(timeIntervalSince1970: seconds.rounded(.down))
    }
    guard let seconds = try integerIfPresent(forKey: .dateUnix) else {
      throw fault(.dateUTC, "is missing, and so is date_unix")
    }
    guard Self.seconds.contains(Double(seconds)) else {
      throw fault(.dateUnix, "should be seconds since 1970, before the year 10000")
    }
    return Date(timeIntervalSince1970: Double(seconds))
  }
}
