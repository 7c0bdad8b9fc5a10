import AsyncHTTPClient
import Hummingbird
import Logging
import People
import TrackerCore

/// The tracker's boot without a pond, for comparison. It is built on task groups and
/// swift-service-lifecycle.
///
/// This boot does the same work, shows the same screens, and ends in the same order. The limits and
/// retries are the same, except that an attempt to listen has no time limit. This boot lacks root
/// causes, retries on request, earlier refreshes after a loss, checks of the open database, a
/// notice before the doors close, reasons for skipped steps, a report, pictures, `/boot`, events
/// and spans. It cannot be simulated or proved. A step that ignores its time limit delays the boot,
/// an unfinished transaction delays the shutdown, and generating the people occupies a thread of
/// the concurrency pool.
struct BootByHand: Sendable {
  let limits: Limits
  let logger: Logger
  let site = Site()
  let read: @Sendable () throws -> Settings
  let onReady: @Sendable () -> Void

  /// Boots, serves until the task is cancelled, and shuts down in order.
  func run() async throws {
    let settings = try read()
    let (listening, listens) = AsyncStream.makeStream(of: Never.self)
    try await beside(
      { try await serve(settings) { listens.finish() } }, drain: limits.drain
    ) {
      try await HTTPClient.withHTTPClient { client in
        try await withFeed(settings, client) { try await boot(settings, $0, listening) }
      }
    }
  }

  // MARK: Connections

  private func serve(
    _ settings: Settings, onListening: @escaping @Sendable () -> Void
  ) async throws {
    let operation = Router(context: TrackerContext.self)
    operation.get("/health/live") { _, _ in HTTPResponse.Status.ok }
    operation.get("/health/ready") { [site] _, _ in
      site.isOpen ? HTTPResponse.Status.ok : .serviceUnavailable
    }
    let entrance = Entrance(operation: operation.buildResponder(), site: site)
    let server = Application(settings, responder: entrance, logger: logger) { [site, logger] port in
      site.listens(on: port)
      logger.notice("listening on \(settings.address(on: port))/")
      onListening()
    }
    try await step(
      "http", attempts: 3, wait: .milliseconds(200), only: { $0 is PortTaken }
    ) {
      try await settings.listening { try await server.run() }
    }
  }

  private struct Entrance: HTTPResponder {
    let operation: RouterResponder<TrackerContext>
    let site: Site

    func respond(to request: Request, context: TrackerContext) async throws -> Response {
      request.uri.path.hasPrefix("/health/")
        ? try await operation.respond(to: request, context: context)
        : try await site.respond(to: request, context)
    }
  }

  private func withFeed(
    _ settings: Settings, _ client: HTTPClient,
    _ body: @escaping @Sendable (FeedClient) async throws -> Void
  ) async throws {
    if let address = settings.feed { return try await body(FeedClient(client, base: address)) }
    let (addresses, address) = AsyncStream.makeStream(of: String.self)
    let feed = try DemoFeed().server(logger: logger) { address.yield($0) }
    try await beside({ try await feed.run() }, drain: .seconds(2)) {
      for await address in addresses {
        return try await body(FeedClient(client, base: address))
      }
    }
  }

  // MARK: The boot

  private func boot(
    _ settings: Settings, _ feed: FeedClient, _ listening: AsyncStream<Never>
  ) async throws {
    async let launches = Result.of {
      try await fetched("fetchLaunches") { try await feed.launches(within: $0) }
    }
    async let cores = Result.of {
      try await fetched("fetchCores") { try await feed.cores(within: $0) }
    }
    let database: TrackerDatabase
    do {
      database = try await openedDatabase(at: settings.database)
    } catch {
      try Task.checkCancellation()
      site.show(.offline(Loss(cause: "\(error)")))
      return await untilCancelled()
    }
    do {
      // SQLite has one writer: cores wait for launches, even if they come first.
      let losses = [
        await loss("storeLaunches", await launches, in: database),
        await loss("storeCores", await cores, in: database), await lossOfIndex(in: database),
      ].compactMap { $0 }
      try Task.checkCancellation()
      await show(losses, of: database)
      for await _ in listening {}
      try Task.checkCancellation()
      try await admitVisitors(settings, feed, database)
    } catch {
      try? database.close()
      throw error
    }
    try database.close()
  }

  private func show(_ losses: [String], of database: TrackerDatabase) async {
    let count = try? await step("look") { try await offThread { try database.launchCount() } }
    if (count ?? 0) == 0 {
      let cause = losses.first ?? "\(NothingToShow())"
      site.show(.offline(Loss(cause: cause, left: count == 0 ? .nothing : .unknown)))
    } else if let cause = losses.first {
      let date = try? await offThread { try database.launchesLeft() }
      site.show(.stale(Loss(cause: cause, left: .launches(of: date ?? nil))))
    } else {
      site.show(.online)
    }
  }

  private func admitVisitors(
    _ settings: Settings, _ feed: FeedClient, _ database: TrackerDatabase
  ) async throws {
    site.open(try makeSite(database, site, delay: settings.answerDelay, logger: logger))
    onReady()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await refresh(settings, feed, database) }
      group.addTask { await bringPeople(settings) }
    }
    // Admitted requests get their time, although this task is cancelled by now.
    let closing = Task { [site] in await site.close() }
    let limit = Task { [limits] in
      try await Task.sleep(for: limits.drain)
      closing.cancel()
    }
    let count = await closing.value
    limit.cancel()
    if count > 0 { throw VisitorsLeft(count: count) }
  }

  /// Refreshes the site until the task is cancelled.
  private func refresh(
    _ settings: Settings, _ feed: FeedClient, _ database: TrackerDatabase
  ) async {
    while (try? await Task.sleep(for: settings.refreshEvery)) != nil {
      async let launches = Result.of {
        try await fetched("fetchLaunches") { try await feed.launches(within: $0) }
      }
      async let cores = Result.of {
        try await fetched("fetchCores") { try await feed.cores(within: $0) }
      }
      let lostLaunches = await loss("storeLaunches", await launches, in: database)
      let losses = [
        lostLaunches, await loss("storeCores", await cores, in: database),
        await lossOfIndex(in: database),
      ].compactMap { $0 }
      if Task.isCancelled { return }
      if losses.isEmpty {
        site.show(.online)
      } else if lostLaunches == nil || site.isOpen {
        site.show(.stale(Loss(cause: losses[0])))
        logger.warning("a refresh was not whole", metadata: ["why": "\(losses)"])
      }
    }
  }

  private func bringPeople(_ settings: Settings) async {
    guard let people = try? People(generating: settings.people, seed: 1) else { return }
    site.people.open(PeopleService(people))
  }

  // MARK: Loading

  private func openedDatabase(at path: String) async throws -> TrackerDatabase {
    let database: TrackerDatabase
    do {
      database = try await step("openDatabase", timeout: limits.opening) {
        try await offThread { try TrackerDatabase.open(at: path) }
      }
    } catch let damage as DamagedDatabase {
      database = try await step("resetDatabase", timeout: limits.opening) {
        let (database, place) = try await offThread { try TrackerDatabase.reset(at: path) }
        logger.error("\(damage); it has been moved to \(place), and a new one is created")
        return database
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
    _ name: String, _ read: @escaping @Sendable (Duration) async throws -> [Row]
  ) async throws -> [Row] {
    try await step(name, timeout: limits.feed, attempts: 2, wait: .milliseconds(200)) {
      try await read(limits.feed)
    }
  }

  /// Stores rows in a single transaction.
  ///
  /// - Returns: The error as a sentence; `nil` if the rows were stored.
  private func loss<Row: StoredRow>(
    _ name: String, _ rows: Result<[Row], any Error>, in database: TrackerDatabase
  ) async -> String? {
    do {
      let rows = try rows.get()
      try await step(name) { try await offThread { try database.save(rows) } }
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func lossOfIndex(in database: TrackerDatabase) async -> String? {
    do {
      let isNew = try await step("searchIndex") {
        try await offThread { try database.mendSearchIndex() }
      }
      if isNew {
        logger.warning("the search index did not match the launches; it has been rebuilt")
      }
      return nil
    } catch {
      return "\(error)"
    }
  }
}
