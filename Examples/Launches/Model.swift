import Foundation

/// A launch, with the fields that the screens show.
struct Launch: Codable, Equatable, Identifiable, Sendable {
  let id: String
  /// The flight number. It is not unique, because planned launches share numbers until their order
  /// is known.
  var flightNumber: Int?
  var name: String
  var date: Date
  var datePrecision: DatePrecision
  var isUpcoming: Bool
  /// Whether the launch succeeded; `nil` if it has not taken place, or if its result is unknown.
  var succeeded: Bool?
  var crewSize: Int
  var cores: [CoreFlight]
}

/// The flight of a first stage on a launch. It consists of the core, if one has been assigned, and
/// the number of this flight in the core's history, starting at 1.
struct CoreFlight: Codable, Equatable, Sendable {
  var coreID: String?, flight: Int?
}

/// The precision of a date. An imprecise date is the start of the period in which the launch is
/// expected, such as a year.
enum DatePrecision: String, Codable, Sendable { case year, half, quarter, month, day, hour }

/// A first stage, with the fields that the screens show.
struct Core: Codable, Equatable, Identifiable, Sendable {
  let id: String
  /// The serial number, such as `B1048`; `nil` if the feed does not contain it.
  var serial: String?
  var landingAttempts, landings: Int
  var launchIDs: [Launch.ID]
}
