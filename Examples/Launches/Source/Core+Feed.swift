/// The r/SpaceX v4 shape of a core, which counts landings on land (`rtls_`) and at sea (`asds_`)
/// apart. A list of cores made from launches has them counted together, and is read as well.
extension Core: FeedItem {
  static let feedName = "cores"

  init(fromFeed decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: FeedKeys.self)
    id = try fields.identifier(forKey: .id)
    serial = try fields.decodeIfPresent(String.self, forKey: .serial)
    launchIDs = try fields.decodeIfPresent([String].self, forKey: .launches) ?? []
    landingAttempts = try fields.total(.landingAttempts, or: .landAttempts, .seaAttempts)
    landings = try fields.total(.landings, or: .landLandings, .seaLandings)
  }

  fileprivate enum FeedKeys: String, CodingKey {
    case id, serial, launches, landings
    case landingAttempts = "landing_attempts"
    case landAttempts = "rtls_attempts"
    case landLandings = "rtls_landings"
    case seaAttempts = "asds_attempts"
    case seaLandings = "asds_landings"
  }
}

extension KeyedDecodingContainer<Core.FeedKeys> {
  fileprivate func total(
    _ total: Core.FeedKeys, or land: Core.FeedKeys, _ sea: Core.FeedKeys
  ) throws -> Int {
    if let count = try count(total) { return count }
    return try (count(land) ?? 0) + (count(sea) ?? 0)
  }

  /// A count small enough that two of them can be added whatever the file says.
  private func count(_ key: Core.FeedKeys) throws -> Int? {
    guard let count = try integerIfPresent(forKey: key) else { return nil }
    guard (0...1_000_000).contains(count) else {
      throw fault(key, "should be a count from 0 to 1000000, and is \(count)")
    }
    return count
  }
}
