import Foundation

/// A launch in the history.
public struct Launch: Codable, Sendable, Hashable {
  /// The unique identifier of the launch.
  public let id: String

  /// The name of the launch.
  public let name: String

  /// The date of the launch, as formatted in the feed.
  public let date: String

  enum CodingKeys: String, CodingKey {
    case id, name
    case date = "date_utc"
  }

  /// Creates a launch.
  ///
  /// - Parameters:
  ///   - id: The unique identifier of the launch.
  ///   - name: The name of the launch.
  ///   - date: The date of the launch.
  public init(id: String, name: String, date: String) {
    self.id = id
    self.name = name
    self.date = date
  }
}

/// A source of launches, read page by page.
public struct LaunchFeed: Sendable {
  /// The number of pages.
  public let pageCount: Int
  private let read: @Sendable (Int) async throws -> [Launch]

  /// Creates a feed.
  ///
  /// - Parameters:
  ///   - pageCount: The number of pages.
  ///   - read: A closure that reads the page with the given zero-based number.
  public init(pageCount: Int, read: @escaping @Sendable (Int) async throws -> [Launch]) {
    self.pageCount = pageCount
    self.read = read
  }

  /// Returns a feed of the bundled launches, in pages of ten.
  ///
  /// - Throws: An error if the file cannot be read or decoded.
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
  /// - Parameter page: The zero-based number of the page.
  /// - Returns: The launches on the page.
  /// - Throws: An error if the page cannot be read.
  public func page(_ page: Int) async throws -> [Launch] { try await read(page) }
}
