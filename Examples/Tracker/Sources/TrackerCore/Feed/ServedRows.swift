/// A launch as the feed serves it, as much of it as is stored.
struct ServedLaunch: Decodable, Sendable {
  let id: String
  let flightNumber: Int?
  let name: String
  let details: String?
  let dateUnix: Int64
  let success: Bool?
  let upcoming: Bool
  let rocket: String?

  var row: Launch {
    Launch(
      id: id, flightNumber: flightNumber ?? 0, name: name, details: details, date: dateUnix,
      success: success, upcoming: upcoming, rocket: rocket)
  }
}

/// A first stage as the feed serves it, as much of it as is stored.
struct ServedCore: Decodable, Sendable {
  let id: String
  let serial: String?
  let status: String?
  let reuseCount: Int?

  var row: Core {
    Core(
      id: id, serial: serial ?? "without a serial", status: status ?? "unknown",
      reuseCount: reuseCount ?? 0)
  }
}
