import Foundation

/// One launch, as much of it as the screens show.
struct Launch: Codable, Equatable, Identifiable, Sendable {
  let id: String
  /// Not an identity: planned launches share numbers until their order is known.
  var flightNumber: Int?
  var name: String
  var date: Date
  var datePrecision: DatePrecision
  var isUpcoming: Bool
  /// `nil` while the launch is ahead, or when nobody has said yet how it went.
  var succeeded: Bool?
  var crewSize: Int
  var cores: [CoreFlight]
}

/// A first stage on one launch. A planned launch may not have its stage assigned yet.
struct CoreFlight: Codable, Equatable, Sendable {
  var coreID: String?
  /// The how-manieth flight of that core this is, counted from 1.
  var flight: Int?
}

/// How exactly a date is known. The date itself is then the start of the time named.
enum DatePrecision: String, Codable, Sendable {
  case year, half, quarter, month, day, hour
}
