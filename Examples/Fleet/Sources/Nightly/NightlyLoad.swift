import Pebbles

/// A pond that reloads the whole launch history, and publishes it if no launches are missing.
///
/// ```
/// fetch 1 ─┐
/// fetch 2 ─┼─▶ store ─┬─▶ index ───┬─▶ publish
///    …     │          └─▶ compare ─┘
/// fetch n ─┘                 │ any failed
///                            └─▶ roll back
/// ```
///
/// Outputs are small because large values are stored in files, and only their paths are passed on.
/// The pond can therefore run in one process, or on any number of machines that share the folder.
/// If a load is cancelled, the teardowns of the pebbles that stored files remove them.
public struct NightlyLoad: Sendable {
  /// The pond.
  public let pond = Pond("nightly", maxConcurrent: 4)

  /// The last pebble of a load without failures.
  public let publish: Pebble<Void>

  /// The last pebble of a load with failures.
  public let rollBack: Pebble<Void>

  /// The error thrown by a load that finds fewer launches than have been published.
  public struct Loss: Error, CustomStringConvertible {
    let published: Int
    let loaded: Int

    /// The number of lost launches, as a sentence.
    public var description: String {
      "\(published - loaded) of \(published) launches are gone; nothing is published"
    }
  }

  /// Creates the load.
  ///
  /// - Parameters:
  ///   - feed: The source of launches.
  ///   - store: The store of launches.
  ///   - pace: The minimum duration of each step and of each teardown. A long duration lets people
  ///     watch a load.
  public init(_ feed: LaunchFeed, _ store: LaunchStore, pace: Duration = .zero) {
    let pond = pond
    let remove: @Sendable (LaunchStore.StoredFile) async throws -> Void = { file in
      try await Task.sleep(for: pace)
      try store.remove(file)
    }
    let pages = (0..<feed.pageCount).map { page in
      pond.pebble(
        "fetch \(page + 1)", .timeout(.seconds(30)),
        .retry(.backoff(attempts: 5, initial: .milliseconds(200))), teardown: remove
      ) {
        try await Task.sleep(for: pace)
        let launches = try await feed.page(page)
        return try store.store(
          launches, count: launches.count, as: "page \(page + 1)", for: Self.run)
      }
    }
    let stored = pond.pebble("store", needs: pages, teardown: remove) { pages in
      try await Task.sleep(for: pace)
      let launches = try pages.flatMap { try store.read($0, as: [Launch].self) }
      return try store.store(launches, count: launches.count, as: "launches", for: Self.run)
    }
    let indexed = pond.pebble("index", needs: stored, teardown: remove) { stored in
      try await Task.sleep(for: pace)
      let index = Self.index(of: try store.read(stored))
      return try store.store(index, count: index.count, as: "index", for: Self.run)
    }
    let compared = pond.pebble("compare", needs: stored) { stored in
      try await Task.sleep(for: pace)
      let published = try store.published()?.count ?? 0
      guard stored.count >= published else {
        throw Loss(published: published, loaded: stored.count)
      }
      return stored.count
    }
    publish = pond.pebble("publish", needs: compared, indexed) { count, _ in
      try await Task.sleep(for: pace)
      try store.publish(count: count, of: Self.run)
    }
    let steps =
      [stored, indexed].map { ($0.failed, $0.settled) }
      + [(compared.failed, compared.settled)] + pages.map { ($0.failed, $0.settled) }
    // Only after all other pebbles have settled, so that nothing is written after the rollback.
    rollBack = pond.pebble("roll back", when: .any(steps.map(\.0)) && .all(steps.map(\.1))) {
      try await Task.sleep(for: pace)
      try store.discard(Self.run)
    }
    // A rollback handles the failure, but does not reach the goal.
    pond.goal = publish.succeeded
  }

  /// The identifier of the run that called the current body.
  private static var run: RunIdentifier {
    PebbleContext.current?.runIdentifier ?? RunIdentifier()
  }

  private static func index(of launches: [Launch]) -> [String: [String]] {
    var index: [String: [String]] = [:]
    for launch in launches {
      for word in Set(launch.name.lowercased().split { !$0.isLetter && !$0.isNumber }) {
        index[String(word), default: []].append(launch.id)
      }
    }
    return index.mapValues { $0.sorted() }
  }
}
