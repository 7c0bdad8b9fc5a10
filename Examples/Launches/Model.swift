import Foundation

/// A launch, with the fields that the screens show.
struct Launch: Codable, Equatable, Identifiable, Sendable {
  let id: String
  /// The flight number, which is not unique: planned launches share numbers until their order is
  /// known.
  var flightNumber: Int?
  var name: String
  var date: Date
  var datePrecision: DatePrecision
  var isUpcoming: Bool
  /// Whether the launch succeeded; `nil` if it is ahead, or the result is not yet known.
  var succeeded: Bool?
  var crewSize: Int
  var cores: [CoreFlight]
}

/// The flight of a first stage on a launch: the core, if it is assigned, and the number of its
/// flight.
struct CoreFlight: Codable, Equatable, Sendable {
  var coreID: String?, flight: Int?
}

/// The precision of a date. The date is the start of the named period.
enum DatePrecision: String, Codable, Sendable { case year, half, quarter, month, day, hour }

/// A first stage, with the fields that the screens show.
struct Core: Codable, Equatable, Identifiable, Sendable {
  let id: String
  /// The serial, such as `B1048`; `nil` if the source does not have it.
  var serial: String?
  var landingAttempts, landings: Int
  var launchIDs: [Launch.ID]
}
