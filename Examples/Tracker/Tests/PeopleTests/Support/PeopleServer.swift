import AsyncHTTPClient
import Foundation
import Hummingbird
import Logging
import SitePages
import Synchronization
import TrackerTestSupport

@testable import People
@testable import PeoplePage

/// A real server with the People page, on a free port of the loopback address.
struct PeopleServer: Sendable {
  let address: String
  private let counter: Counter

  /// The number of requests for a page of rows.
  var pages: Int { counter.count.withLock { $0 } }

  static func using(
    _ service: PeopleService, _ test: @escaping @Sendable (PeopleServer) async throws -> Void
  ) async throws {
    try await using(PeopleRoom(service), test)
  }

  static func using(
    _ room: PeopleRoom, _ test: @escaping @Sendable (PeopleServer) async throws -> Void
  ) async throws {
    let router = Router()
    let counter = Counter()
    router.add(middleware: counter)
    let layout = try SiteLayout()
    try addPeopleRoutes(to: router, room, layout: layout)
    layout.files.addRoutes(to: router, at: SiteLayout.filesPath)
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    var logger = Logger(label: "people-tests")
    logger.logLevel = .critical
    let application = Application(
      router: router,
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in
        port.yield(channel.localAddress?.port ?? 0)
      }, logger: logger)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        // The end of the test cancels it.
        do { try await application.run() } catch is CancellationError {}
        port.finish()
      }
      group.addTask {
        for await port in ports {
          return try await test(PeopleServer(address: "http://127.0.0.1:\(port)", counter: counter))
        }
      }
      try await group.next()
      group.cancelAll()
      try await group.waitForAll()
    }
  }

  /// The status and the JSON of an answer.
  struct Answer {
    let status: Int
    let headers: [String: String]
    let bytes: Data
    let json: JSONValue

    var problem: String { json["error"]["message"].text ?? "" }

    func rows() throws -> [Row] {
      struct Rows: Decodable { let rows: [Row] }
      return try JSONDecoder().decode(Rows.self, from: bytes).rows
    }
  }

  func get(_ path: String) async throws -> Answer {
    try await answer(to: HTTPClientRequest(url: address + path))
  }

  func post(_ path: String, _ body: JSONValue) async throws -> Answer {
    try await post(path, text: JSONEncoder().encode(body))
  }

  func post(_ path: String, text: Data) async throws -> Answer {
    var request = HTTPClientRequest(url: address + path)
    request.method = .POST
    request.headers.add(name: "content-type", value: "application/json")
    request.body = .bytes(text)
    return try await answer(to: request)
  }

  private func answer(to request: HTTPClientRequest) async throws -> Answer {
    let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
    let bytes = try await answer.body.collect(upTo: 16 << 20)
    let data = Data(bytes.readableBytesView)
    return Answer(
      status: Int(answer.status.code),
      headers: Dictionary(answer.headers.map { ($0.name.lowercased(), $0.value) }) { $1 },
      bytes: data, json: (try? JSONDecoder().decode(JSONValue.self, from: data)) ?? .null)
  }
}

private final class Counter: RouterMiddleware {
  typealias Context = BasicRequestContext

  let count = Mutex(0)

  func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    if request.uri.path == "/people/rows" { count.withLock { $0 += 1 } }
    return try await next(request, context)
  }
}
