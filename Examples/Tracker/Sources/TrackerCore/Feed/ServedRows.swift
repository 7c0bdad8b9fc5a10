import Foundation

/// A launch in the format of the feed, with the fields that are stored.
///
/// The feed is refused if the identifier, the name, the date or `upcoming` is missing, or if a
/// field of the launch itself, such as the details, has the wrong type. The precision of the date,
/// failures, links and first stages are left out if they are invalid.
struct ServedLaunch: Decodable, Sendable {
  let id: String
  let flightNumber: Int?
  let name: String
  let details: String?
  let dateUnix: Int64
  let success: Bool?
  let upcoming: Bool
  let rocket: String?
  let datePrecision: Lenient<String>?
  let failures: LenientList<Failure>?
  let links: Lenient<Links>?
  let cores: LenientList<Flight>?

  struct Failure: Decodable, Sendable {
    let time: Lenient<Int>?
    let altitude: Lenient<Int>?
    let reason: Lenient<String>?
  }

  struct Links: Decodable, Sendable {
    let webcast: Lenient<String>?
    let article: Lenient<String>?
    let wikipedia: Lenient<String>?
    let patch: Lenient<Patch>?

    struct Patch: Decodable, Sendable {
      let small: Lenient<String>?
    }
  }

  struct Flight: Decodable, Sendable {
    let core: Lenient<String>?
    let flight: Lenient<Int>?
    let reused: Lenient<Bool>?
    let landingAttempt: Lenient<Bool>?
    let landingSuccess: Lenient<Bool>?
    let landingType: Lenient<String>?
  }

  var row: FedLaunch {
    var launch = Launch(
      id: id, flightNumber: flightNumber ?? 0, name: name, details: details, date: dateUnix,
      success: success, upcoming: upcoming, rocket: rocket)
    launch.datePrecision = datePrecision?.value
    launch.failures = (failures?.values ?? []).map {
      LaunchFailure(
        time: $0.time?.value, altitude: $0.altitude?.value, reason: $0.reason?.value)
    }
    let links = links?.value
    launch.links = LaunchLinks(
      webcast: links?.webcast?.value?.asWebAddress, article: links?.article?.value?.asWebAddress,
      wikipedia: links?.wikipedia?.value?.asWebAddress,
      patch: links?.patch?.value?.small?.value?.asWebAddress)
    let cores = (cores?.values ?? []).enumerated().map { position, flight in
      LaunchCore(
        launch: id, position: position, core: flight.core?.value, flight: flight.flight?.value,
        reused: flight.reused?.value, landingAttempt: flight.landingAttempt?.value,
        landingSuccess: flight.landingSuccess?.value, landingType: flight.landingType?.value)
    }
    return FedLaunch(launch: launch, cores: cores)
  }
}

/// A first stage in the format of the feed, with the fields that are stored.
struct ServedCore: Decodable, Sendable {
  let id: String
  let serial: String?
  let status: String?
  let reuseCount: Int?

  var row: Core {
    Core(
      id: id, serial: serial ?? Core.shortName(of: id), status: status ?? "unknown",
      reuseCount: reuseCount ?? 0)
  }
}

extension String {
  /// The string, if it is a web address that is safe in a link and cannot run code; otherwise
  /// `nil`.
  fileprivate var asWebAddress: String? {
    guard utf8.count <= 2_000, let parts = URLComponents(string: self),
      let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = parts.host, !host.isEmpty
    else { return nil }
    return self
  }
}
