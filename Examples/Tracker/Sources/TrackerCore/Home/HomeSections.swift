import Foundation
import Logging
import Pebbles
import Sections

/// The sections of Home, each with its paging rule, and a shelf for its contents.
///
///     latest ─▶ keep latest      failures ─▶ keep failures      cores ─▶ keep cores      …
///
/// All are pebbles of a single pond. The contents of a section are put on its shelf as soon as they
/// arrive, even if other sections take longer. Depending on `answers`, the sections are loaded over
/// HTTP, as in an app, or in-process, as in the server.
public struct HomeSections: Sendable {
  /// The name of a section.
  public enum Name: String, Sendable, CaseIterable {
    /// The upcoming launches, soonest first, followed by overdue launches without a result.
    case next

    /// The latest launches, newest first, paged by tokens.
    case latest

    /// The failed launches, newest first, in numbered pages.
    case failures

    /// The first stages with the most flights, in numbered pages. After the first page, two pages
    /// are requested at a time.
    case cores

    /// Some people, different ones each day.
    case people
  }

  /// The loader of the sections.
  public let loader: SectionLoader

  let shelves: HomeShelves
  private let keepers: [Name: Pebble<Void>]

  /// The number of items per page.
  static let pageSize = 5

  /// The maximum number of pages loaded for each section. The Launches page shows all launches.
  static let mostPages = 4

  /// Creates the sections without loading them.
  ///
  /// - Parameters:
  ///   - server: The address of a tracker, without a slash at the end; empty if the sections are
  ///     loaded in process.
  ///   - answers: The source of pages.
  ///   - logger: The logger that records each page.
  ///   - now: A closure that returns the current time, which becomes the time of the contents.
  ///   - limit: The time limit of a request for a page.
  ///   - hasPeople: A closure that returns whether there are people yet; before that, no people are
  ///     requested.
  public init(
    of server: String = "", answers: any PageAnswering, logger: Logger,
    now: @escaping @Sendable () -> Date = { Date() },
    limit: Duration = .seconds(5), hasPeople: @escaping @Sendable () -> Bool = { true }
  ) {
    let loader = SectionLoader("home", answers: answers, logger: logger)
    let shelves = HomeShelves()

    func keep<Item: Decodable & Identifiable & Sendable>(
      _ name: Name, on shelf: WritableKeyPath<HomeContents, Shelf<Item>> & Sendable,
      _ path: String, paging: SectionPaging = .none
    ) -> (Name, Pebble<Void>) {
      let section = loader.add(
        Section(
          "\(server)\(path)", JSONKeyPath(keys: [name.rawValue]), Item.self,
          identifier: "\(name)", paging: paging, .enabled { name != .people || hasPeople() },
          requests: { Self.traits($0, limit) }))
      let keeper = loader.pond.pebble(
        "keep \(name)", needs: section.pebble.optional, section.pebble.outcome
      ) { content, outcome in
        shelves.put(content, outcome, of: name, on: shelf, at: now())
      }
      return (name, keeper)
    }

    keepers = Dictionary(uniqueKeysWithValues: [
      keep(.next, on: \.next, "/home"),
      keep(.latest, on: \.latest, "/home/latest", paging: .token(key: "after", at: "next")),
      keep(.failures, on: \.failures, "/home/failures", paging: .page(size: Self.pageSize)),
      keep(.cores, on: \.cores, "/home/cores", paging: .page(size: Self.pageSize, ahead: 2)),
      keep(.people, on: \.people, "/home/people"),
    ])
    (self.loader, self.shelves) = (loader, shelves)
  }

  /// Loads sections, and puts their contents on their shelves.
  ///
  /// - Parameter names: The sections to load.
  /// - Throws: `PondError` if the definition of the sections has errors.
  func load(_ names: Set<Name>) async throws {
    _ = try await loader.load(only: names.compactMap { keepers[$0] })
  }

  /// Returns the traits of a request. A request that fails with a transient error is retried once,
  /// after a short wait. Further retries are left to visitors.
  private static func traits(_ request: SectionRequest, _ limit: Duration) -> [PebbleTrait] {
    [
      .enabled { request.page < mostPages }, .timeout(limit),
      .retry(
        .backoff(
          attempts: 2, initial: .milliseconds(20), only: SectionError.isTransient)),
    ]
  }
}
