import AsyncHTTPClient
import Foundation
import Logging
import Pebbles
import Sections
import TrackerTestSupport

/// The result of loading one section of one feed from a real server.
struct LoadedFeed: Sendable {
  let content: SectionContent<Feed.Item>
  let requests: [FeedRequest]

  var names: [String] { content.items.map(\.name) }

  init(
    _ feed: Feed, _ keyPath: JSONKeyPath = "items", paging: SectionPaging = .none,
    limits: SectionLimits = SectionLimits(),
    requests traits: @escaping @Sendable (SectionRequest) -> [PebbleTrait] = { _ in [] },
    decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
  ) async throws {
    self = try await FeedServer.using(["/list": feed]) { server in
      try await HTTPClient.using { client in
        let loader = SectionLoader(
          "test", client: client, logger: LogRecords().logger, limits: limits)
        let list = loader.add(
          Section(
            "\(server.url)/list", keyPath, Feed.Item.self, identifier: "list", paging: paging,
            requests: traits, decoder: decoder))
        let content = try await loader.refresh()[list]
        return LoadedFeed(content: content, requests: server.requests)
      }
    }
  }

  private init(content: SectionContent<Feed.Item>, requests: [FeedRequest]) {
    self.content = content
    self.requests = requests
  }

  /// The error message without the address, whose port differs each time.
  var problem: String? {
    content.error.map { "\($0)".replacing(#/ \(http[^)]*\)/#, with: "") }
  }
}
