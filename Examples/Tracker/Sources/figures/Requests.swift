import AsyncHTTPClient
import Hummingbird
import Pebbles
import SitePages
import TrackerCore

/// A measurement of requests for launches. Some go to the tracker, through its doors. The others go
/// to a server without a pond, which has the same handler, Hummingbird middleware and database.
struct Requests: Sendable {
  /// The number of concurrent requests.
  static let visitors = 50

  let boots: Boots

  /// The approximate number of requests in a round.
  let count: Int

  /// Measures both servers, alternating between the two.
  ///
  /// - Parameter rounds: The number of rounds to measure after some warm-up rounds.
  /// - Returns: The requests per second.
  /// - Throws: ``Boots/NotReady``, or a server or client error.
  func compared(rounds: Int) async throws -> Comparison {
    let settings = boots.settings()
    let boot = Boot(limits: Limits(), logger: Figures.logger, settings: settings)
    let run = try boot.pond.start()
    guard try await run.report.exitCode == 0, let tracker = boot.site.port else {
      throw Boots.NotReady(description: "\(boot.site.screen)")
    }
    // The people are made once, which takes a while.
    while !boot.site.people.isOpen { await Task.yield() }

    let database = try TrackerDatabase.open(at: settings().database)
    let comparison = try await servingHandlerAlone(database) { alone in
      try await compared(tracker, alone, rounds: rounds)
    }
    try database.close()
    try await run.shutdown().check()
    return comparison
  }

  private func servingHandlerAlone<Value: Sendable>(
    _ database: TrackerDatabase, _ body: @escaping @Sendable (Int) async throws -> Value
  ) async throws -> Value {
    let router = Router(context: TrackerContext.self)
    router.add(middleware: TracingMiddleware())
    router.add(middleware: LogRequestsMiddleware(.debug))
    try addSearchRoutes(
      to: router, search: LaunchSearch(reader: database.reader), site: Site(),
      layout: SiteLayout())
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let (routes, delivery) = (router.buildResponder(), Delivery())
    let server = Application(
      responder: CallbackResponder { request, context in
        let response = try await routes.respond(to: request, context: context)
        return try await delivery.delivered(response, for: request)
      },
      configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: "tracker"),
      onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: Figures.logger)
    return try await Figures.serving(server) {
      guard let port = await ports.first(where: { _ in true }) else { throw CancellationError() }
      return try await body(port)
    }
  }

  private func compared(_ tracker: Int, _ alone: Int, rounds: Int) async throws -> Comparison {
    var comparison = Comparison()
    let warmUp = 2
    for round in 0..<warmUp + rounds {
      var (pond, other) = (0.0, 0.0)
      if round.isMultiple(of: 2) {
        pond = try await rate(of: tracker)
        other = try await rate(of: alone)
      } else {
        other = try await rate(of: alone)
        pond = try await rate(of: tracker)
      }
      if round >= warmUp { comparison.add(pond: pond, other: other) }
    }
    return comparison
  }

  private func rate(of port: Int) async throws -> Double {
    try await HTTPClient.withHTTPClient { client in
      let took = try await ContinuousClock().measure {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<Self.visitors { group.addTask { try await visit(port, client) } }
          try await group.waitForAll()
        }
      }
      return Double(count / Self.visitors * Self.visitors) / (took / .seconds(1))
    }
  }

  private func visit(_ port: Int, _ client: HTTPClient) async throws {
    let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/launches")
    for _ in 0..<count / Self.visitors {
      let response = try await client.execute(request, timeout: .seconds(60))
      guard response.status == .ok else {
        throw Boots.NotReady(description: "the answer was \(response.status)")
      }
      _ = try await response.body.collect(upTo: 1 << 20)
    }
  }
}
