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
  /// `nil` while the launch is ahead, or when it is not known yet how it went.
  var succeeded: Bool?
  var crewSize: Int
  var cores: [CoreFlight]
}

/// A first stage, if it is assigned yet, on its how-manieth flight.
struct CoreFlight: Codable, Equatable, Sendable {
  var coreID: String?, flight: Int?
}

/// How exactly a date is known. The date itself is then the start of the time named.
enum DatePrecision: String, Codable, Sendable { case year, half, quarter, month, day, hour }

/// One first stage, as much of it as the screens show.
struct Core: Codable, Equatable, Identifiable, Sendable {
  let id: String
  /// What people call it, such as `B1048`; not every source knows it.
  var serial: String?
  var landingAttempts, landings: Int
  var launchIDs: [Launch.ID]
}
