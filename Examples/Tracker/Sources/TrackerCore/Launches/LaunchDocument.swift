import Foundation
import SitePages

/// The values for a launch's page.
struct LaunchDocument {
  let name: String
  let badge: String
  let result: String
  let flightNumber: Int?
  let date: LaunchDate?
  let isOverdue: Bool
  let details: String?
  let failures: [Failure]
  let cores: [Core]
  let links: [Link]
  let previous: Way?
  let next: Way?
  let back: Way
  let json: String

  // A mustache template cannot ask whether a list is empty.
  let hasFailures: Bool
  let hasCores: Bool
  let hasLinks: Bool

  struct Failure {
    let reason: String
    let circumstances: String?
  }

  struct Core {
    let serial: String
    let flight: String
    let before: String
    let landing: String
  }

  struct Link {
    let address: String
    let name: String
    let host: String
  }

  /// A link with its text.
  struct Way {
    let address: String
    let name: String
  }

  /// Creates the values for a page.
  ///
  /// - Parameters:
  ///   - detail: The launch.
  ///   - query: The search that found the launch; empty if there was no search.
  ///   - now: The current time, in Unix seconds.
  init(_ detail: LaunchDetail, foundBy query: String, now: Int64) {
    let launch = detail.launch
    name = launch.name
    let result = LaunchResult(launch, now: now)
    (badge, self.result) = (result.rawValue, result.words)
    isOverdue = result == .overdue
    flightNumber = launch.flightNumber > 0 ? launch.flightNumber : nil
    date = LaunchDate(launch)
    details = launch.details.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    failures = launch.failures.map {
      Failure(reason: $0.reason ?? "No reason is known.", circumstances: $0.circumstances)
    }
    cores = detail.cores.map { Core($0, isUpcoming: launch.upcoming) }
    links = [
      ("Webcast", launch.links.webcast), ("Article", launch.links.article),
      ("Wikipedia", launch.links.wikipedia),
    ].compactMap { name, address in address.flatMap { Link(name, to: $0) } }
    previous = detail.previous.map { Way($0, foundBy: query) }
    next = detail.next.map { Way($0, foundBy: query) }
    let place = "#launch-\(launch.id.percentEncoded)"
    back = Way(
      address: LaunchAddress.search(query) + place,
      name: query.isEmpty ? "All launches" : "Launches with “\(query)”")
    json = LaunchAddress.json(launch.id)
    (hasFailures, hasCores, hasLinks) = (!failures.isEmpty, !cores.isEmpty, !links.isEmpty)
  }
}

extension LaunchDocument.Way {
  fileprivate init(_ launch: LaunchDetail.Neighbour, foundBy query: String) {
    self.init(address: LaunchAddress.launch(launch.id, foundBy: query), name: launch.name)
  }
}

extension LaunchDocument.Link {
  /// Creates a link. Returns `nil` if the stored address is not a web address.
  fileprivate init?(_ name: String, to address: String) {
    guard let parts = URLComponents(string: address), let host = parts.host, !host.isEmpty,
      ["http", "https"].contains(parts.scheme?.lowercased())
    else { return nil }
    self.init(address: address, name: name, host: host)
  }
}

extension LaunchDocument.Core {
  fileprivate init(_ core: LaunchDetail.FlownCore, isUpcoming: Bool) {
    let flight = core.flight
    serial = core.serial ?? flight.core.map(Core.shortName(of:)) ?? "Not yet chosen"
    self.flight = flight.flight.map { "\($0)" } ?? "–"
    before =
      switch (flight.core, flight.reused) {
      case (_?, true?): "Yes"
      case (_?, false?): "No"
      case (nil, _), (_, nil): "–"
      }
    landing = flight.landing(isUpcoming: isUpcoming)
  }
}

extension LaunchCore {
  /// Returns the result of the landing and where it took place, such as `Landed on a drone ship`.
  fileprivate func landing(isUpcoming: Bool) -> String {
    let place =
      switch landingType {
      case "ASDS"?: "on a drone ship"
      case "RTLS"?: "back at the launch site"
      case "Ocean"?: "in the ocean"
      case let type?: "(\(type))"
      case nil: ""
      }
    let words =
      switch (landingAttempt, landingSuccess) {
      case (_, true?): "Landed \(place)"
      case (false?, _): "No attempt to land"
      case (_, false?): "Was to land \(place); failed"
      case (true?, nil): isUpcoming ? "Is to land \(place)" : "Was to land \(place)"
      case (nil, nil): "–"
      }
    return words.replacing(" ;", with: ";").trimmingCharacters(in: .whitespaces)
  }
}

extension LaunchFailure {
  /// The time and the altitude of the failure, such as `33 s after lift-off, at a height of 4 km`;
  /// `nil` if both are unknown.
  var circumstances: String? {
    let height = altitude.map { $0 == 0 ? "on the ground" : "at a height of \($0) km" }
    let clauses = [time.map(Self.moment), height].compactMap { $0 }
    return clauses.isEmpty ? nil : clauses.joined(separator: ", ")
  }

  private static func moment(_ seconds: Int) -> String {
    guard seconds != 0 else { return "at lift-off" }
    let units = [(86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")]
    var rest = seconds.magnitude
    let parts = units.compactMap { size, name -> String? in
      let count = rest / UInt(size)
      rest %= UInt(size)
      return count == 0 ? nil : "\(count) \(name)"
    }
    return parts.prefix(2).joined(separator: " ")
      + (seconds > 0 ? " after lift-off" : " before lift-off")
  }
}
