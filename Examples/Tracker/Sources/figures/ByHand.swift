import AsyncHTTPClient
import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import Synchronization
import TrackerCore

/// The boot without a pond: task groups and swift-service-lifecycle, for comparison.
///
/// It has the same steps, limits and retries. It has no reasons for what was skipped, no report, no
/// picture, no events, no laws, no simulation; a body that ignores its timeout holds it up, and
/// SIGTERM during the boot waits for what is under way.
struct ByHand: Service {
  let settings: Settings
  let limits: Limits
  let site: Site
  let logger: Logger
  let onReady: @Sendable () -> Void

  func run() async throws {
    let (listening, listener) = AsyncStream<Void>.makeStream()
    let server = ServiceGroup(
      services: [application { listener.yield() }], logger: logger)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        defer { listener.finish() }
        try await step("http", attempts: 3, wait: .milliseconds(200)) { try await server.run() }
      }
      group.addTask {
        do {
          try await site(listening)
        } catch {
          await server.triggerGracefulShutdown()
          throw error
        }
        await server.triggerGracefulShutdown()
      }
      try await group.waitForAll()
    }
  }

  private func application(_ onListening: @escaping @Sendable () -> Void) -> some Service {
    let operation = Router()
    operation.get("/health/live") { _, _ in HTTPResponse.Status.ok }
    operation.get("/health/ready") { [site] _, _ in
      site.isOpen ? HTTPResponse.Status.ok : .serviceUnavailable
    }
    return Application(
      responder: Entrance(operation: operation.buildResponder(), site: site),
      configuration: .init(
        address: .hostname(settings.host, port: settings.port), serverName: "tracker"),
      onServerRunning: { [site] channel in
        site.listens(on: channel.localAddress?.port ?? 0)
        onListening()
      }, logger: logger)
  }

  private struct Entrance: HTTPResponder {
    let operation: RouterResponder<BasicRequestContext>
    let site: Site

    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
      request.uri.path.hasPrefix("/health/")
        ? try await operation.respond(to: request, context: context)
        : try await site.respond(to: request, context)
    }
  }

  /// From the database to the open doors, and back.
  private func site(_ listening: AsyncStream<Void>) async throws {
    let client = HTTPClient()
    defer { Task { try await client.shutdown() } }
    guard let address = settings.feed else { throw CancellationError() }
    let feed = FeedClient(client, base: address)

    async let opened = Result.of { try await openedDatabase() }
    async let launches = Result.of { try await fetched("fetchLaunches", feed.launches) }
    async let cores = Result.of { try await fetched("fetchCores", feed.cores) }

    guard case .success(let database) = await opened else {
      site.show(.offline("there is no database"))
      try await gracefulShutdown()
      return
    }
    do {
      // SQLite has one writer, so the second waits for the first, even if it is there earlier.
      let first = await stored("storeLaunches", await launches, database)
      let second = await stored("storeCores", await cores, database)
      let count = try await offThread { try database.launchCount() }
      switch (count, first ?? second) {
      case (0, _): site.show(.offline("nothing was loaded"))
      case (_, nil): site.show(.online)
      case (_, let error?): site.show(.stale("\(error)"))
      }
      for await _ in listening { break }
      site.open(try makeSite(database, site, delay: settings.answerDelay))
      onReady()
      await refreshUntilShutdown(feed, database)
      _ = await site.close()
    } catch {
      try? database.close()
      throw error
    }
    try database.close()
  }

  private func openedDatabase() async throws -> TrackerDatabase {
    let database: TrackerDatabase
    do {
      database = try await step("openDatabase", timeout: .seconds(30)) {
        try await offThread { try TrackerDatabase.open(at: settings.database) }
      }
    } catch is DamagedDatabase {
      database = try await step("resetDatabase", timeout: .seconds(30)) {
        try await offThread { try TrackerDatabase.reset(at: settings.database).0 }
      }
    }
    do {
      try await step(
        "migrate", timeout: limits.migration, attempts: 4, wait: .milliseconds(100)
      ) { try await offThread { try database.migrate() } }
    } catch {
      try? database.close()
      throw error
    }
    return database
  }

  private func fetched<Row: Sendable>(
    _ name: String, _ read: @escaping @Sendable () async throws -> [Row]
  ) async throws -> [Row] {
    try await step(
      name, timeout: limits.feed, attempts: 2, wait: .milliseconds(200), body: read)
  }

  /// What was wrong; `nil` if nothing was.
  private func stored<Row: PersistableRow>(
    _ name: String, _ rows: Result<[Row], any Error>, _ database: TrackerDatabase
  ) async -> (any Error)? {
    do {
      let rows = try rows.get()
      try await step(name) { try await offThread { try database.save(rows) } }
      return nil
    } catch {
      return error
    }
  }

  private func refreshUntilShutdown(_ feed: FeedClient, _ database: TrackerDatabase) async {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do { try await Task.sleep(for: settings.refreshEvery) } catch { return }
        async let launches = Result.of { try await fetched("fetchLaunches", feed.launches) }
        async let cores = Result.of { try await fetched("fetchCores", feed.cores) }
        let first = await stored("storeLaunches", await launches, database)
        let second = await stored("storeCores", await cores, database)
        site.show((first ?? second).map { .stale("\($0)") } ?? .online)
      }
    }
  }
}
