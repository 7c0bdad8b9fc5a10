import Hummingbird
import Synchronization

/// A real server on a free port of the loopback address, whose feeds misbehave on demand.
package final class FeedServer: Sendable {
  /// The address of the server, without a slash at the end.
  package let url: String
  private let desk: FeedDesk

  private init(url: String, _ desk: FeedDesk) {
    self.url = url
    self.desk = desk
  }

  /// Starts a server, calls a closure with it, and ends it.
  package static func using<Value: Sendable>(
    _ feeds: [String: Feed] = [:], _ test: @Sendable (FeedServer) async throws -> Value
  ) async throws -> Value {
    let desk = FeedDesk(feeds)
    let router = Router()
    router.get("**") { request, _ in try await desk.answer(request) }
    return try await LoopbackServer.using(router) { url in
      try await test(FeedServer(url: url, desk))
    }
  }

  /// Serves another feed from now on.
  package func serve(_ feed: Feed, at path: String) { desk.serve(feed, at: path) }

  /// The requests so far, in the order in which they arrived.
  package var requests: [FeedRequest] { desk.requests }
}

/// A request that a feed has received.
package struct FeedRequest: Sendable, Hashable {
  package let path: String
  package let query: [String: String]
  package let cursor: String?

  package init(path: String, query: [String: String] = [:], cursor: String? = nil) {
    self.path = path
    self.query = query
    self.cursor = cursor
  }
}

/// The feeds of a server, with a record of all requests.
private final class FeedDesk: Sendable {
  private struct State {
    var feeds: [String: Feed]
    var requests: [FeedRequest] = []
  }

  private let state: Mutex<State>

  init(_ feeds: [String: Feed]) {
    state = Mutex(State(feeds: feeds))
  }

  var requests: [FeedRequest] { state.withLock(\.requests) }

  func serve(_ feed: Feed, at path: String) { state.withLock { $0.feeds[path] = feed } }

  func answer(_ message: Request) async throws -> Response {
    let path = message.uri.path
    let query = Dictionary(
      message.uri.queryParameters.map { (String($0.key), String($0.value)) }
    ) { first, _ in first }
    let (feed, request, count) = state.withLock { state in
      let feed = state.feeds[path]
      let cursor = feed?.cursorHeader.flatMap { message.headers[$0] }
      let request = FeedRequest(path: path, query: query, cursor: cursor)
      state.requests.append(request)
      return (feed, request, state.requests.count { $0.path == path })
    }
    guard let feed else { throw HTTPError(.notFound) }
    return try await feed.answer(request, count: count)
  }
}
