import Foundation

/// A list of items in a JSON file, in the format of the r/SpaceX API (version 4).
struct Feed<Served: ServedItem>: Sendable {
  /// The name of the list in error messages, such as `launches` in `launches[3].date_utc`, and the
  /// path of the file.
  let name, path: String

  /// Returns all items. Throws an error if any item is invalid, because a load that omitted invalid
  /// items would delete them from the store. Identical copies of an item are returned only once.
  func read() throws -> [Served.Item] {
    do {
      let list = try JSONFile(path: path, isSnakeCase: true).decode([Served].self, named: name)
      let items = try list.enumerated().map { try $1.item(at: "\(name)[\($0)]") }
      let firsts = Dictionary(zip(items.map(\.id), items.indices)) { first, _ in first }
      for (index, item) in items.enumerated() {
        try check(item.id != "", "\(name)[\(index)].id: it is empty")
        let first = firsts[item.id] ?? index
        let same = "\(name)[\(first)] and \(name)[\(index)] have the same id, \(item.id)"
        try check(items[first] == item, "\(same), but differ")
      }
      return firsts.values.sorted().map { items[$0] }
    } catch {
      throw Problem("cannot use \(path): \(error)")
    }
  }
}

/// An item in the feed's format. Field names are in snake case, and unknown fields are ignored.
protocol ServedItem: Decodable {
  associatedtype Item: Equatable & Identifiable where Item.ID == String
  func item(at place: String) throws(Problem) -> Item
}

struct ServedLaunch: ServedItem {
  struct Flight: Decodable { let core: String?, flight: Int? }
  /// A crew member, whose content is ignored. Some versions of the API represent a crew member by
  /// an identifier, and others by an object.
  struct CrewMember: Decodable { init(from decoder: any Decoder) {} }

  let id, name: String
  let flightNumber: Int?
  let dateUnix: Double?
  let dateUtc, datePrecision: String?
  let upcoming, success: Bool?
  let crew: [CrewMember]?
  let cores: [Flight]?

  func item(at place: String) throws(Problem) -> Launch {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: dateUtc?.contains(".") == true)
    let date = dateUtc.map { try? style.parse($0).timeIntervalSince1970 } ?? dateUnix
    // Screens have years of four digits, and the store has whole seconds.
    let isKnown = 0..<253_402_300_800 ~= date ?? -1
    try check(
      isKnown, "\(place).date_utc: it should be a date since 1970, like 2006-03-24T22:30:00Z")
    return Launch(
      id: id, flightNumber: flightNumber, name: name,
      date: Date(timeIntervalSince1970: date?.rounded(.down) ?? 0),
      // An unknown precision of a later version of the API must not fail the whole load.
      datePrecision: datePrecision.flatMap(DatePrecision.init) ?? .day,
      isUpcoming: upcoming ?? false, succeeded: success, crewSize: crew?.count ?? 0,
      cores: cores?.map { CoreFlight(coreID: $0.core, flight: $0.flight) } ?? [])
  }
}

/// A core in the feed's format. The API counts landings on land (`rtls`) and at sea (`asds`)
/// separately. The single count in a list of cores derived from launches is accepted as well.
struct ServedCore: ServedItem {
  let id: String
  let serial: String?
  let launches: [String]?
  let landingAttempts, rtlsAttempts, asdsAttempts, landings, rtlsLandings, asdsLandings: Int?

  func item(at place: String) throws(Problem) -> Core {
    // With wrapping addition, because no number in a file may crash the program.
    let attempts = landingAttempts ?? (rtlsAttempts ?? 0) &+ (asdsAttempts ?? 0)
    let landed = landings ?? (rtlsLandings ?? 0) &+ (asdsLandings ?? 0)
    let areCounts = [attempts, landed].allSatisfy { 0...1_000_000 ~= $0 }
    try check(areCounts, "\(place): its attempts and landings should be from 0 to 1000000")
    return Core(
      id: id, serial: serial, landingAttempts: attempts, landings: landed, launchIDs: launches ?? []
    )
  }
}
