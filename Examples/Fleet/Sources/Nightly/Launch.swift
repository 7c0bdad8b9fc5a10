import Foundation

/// A launch, as far as the history tells of it.
public struct Launch: Codable, Sendable, Hashable {
  /// What tells it from all others.
  public let id: String

  /// What it was called.
  public let name: String

  /// When it was, as the feed writes it.
  public let date: String

  enum CodingKeys: String, CodingKey {
    case id, name
    case date = "date_utc"
  }

  /// Makes a launch.
  ///
  /// - Parameters:
  ///   - id: What tells it from all others.
  ///   - name: What it was called.
  ///   - date: When it was.
  public init(id: String, name: String, date: String) {
    self.id = id
    self.name = name
    self.date = date
  }
}

/// Where launches come from, page by page.
public struct LaunchFeed: Sendable {
  /// How many pages there are.
  public let pageCount: Int
  private let read: @Sendable (Int) async throws -> [Launch]

  /// Makes a feed.
  ///
  /// - Parameters:
  ///   - pageCount: How many pages there are.
  ///   - read: Reads one of them, from 0 on.
  public init(pageCount: Int, read: @escaping @Sendable (Int) async throws -> [Launch]) {
    self.pageCount = pageCount
    self.read = read
  }

  /// The launches that come with this, in pages of ten.
  ///
  /// - Throws: What reading them throws.
  /// - Returns: The feed.
  public static func bundled() throws -> LaunchFeed {
    let url = Bundle.module.url(
      forResource: "launches", withExtension: "json", subdirectory: "Fixtures")
    guard let url else { throw CocoaError(.fileNoSuchFile) }
    let launches = try JSONDecoder().decode([Launch].self, from: Data(contentsOf: url))
    let pages = stride(from: 0, to: launches.count, by: 10).map {
      Array(launches[$0..<min($0 + 10, launches.count)])
    }
    return LaunchFeed(pageCount: pages.count) { pages[$0] }
  }

  /// Reads a page.
  ///
  /// - Parameter page: Which, from 0 on.
  /// - Returns: Its launches.
  /// - Throws: What reading it throws.
  public func page(_ page: Int) async throws -> [Launch] { try await read(page) }
}
