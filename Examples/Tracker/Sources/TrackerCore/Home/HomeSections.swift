import Foundation
import Logging
import Pebbles
import Sections

/// The sections of Home, each with its rule of paging, and a shelf for what comes of each.
///
///     latest ─▶ keep latest      failures ─▶ keep failures      cores ─▶ keep cores      …
///
/// All are pebbles of one pond. A section is on its shelf as soon as it has come, however long
/// another one takes. The same sections are loaded over HTTP by an app and in process by the server
/// itself: who makes this says who answers.
public struct HomeSections: Sendable {
  /// One of the sections.
  public enum Name: String, Sendable, CaseIterable {
    /// The launches ahead, soonest first, then those that were due and have not been told of.
    case next

    /// The launches that were last, newest first, by tokens.
    case latest

    /// The launches that failed, newest first, by pages with numbers.
    case failures

    /// The first stages that flew most, by pages with numbers, two at a time.
    case cores

    /// Some people, others each day.
    case people
  }

  /// Loads them.
  public let loader: SectionLoader

  let shelves: HomeShelves
  private let keepers: [Name: Pebble<Void>]

  /// How many items a page has.
  static let pageSize = 5

  /// How many pages are loaded of each section: who wants to see more looks at all launches.
  static let mostPages = 4

  /// Makes the sections; nothing is loaded.
  ///
  /// - Parameters:
  ///   - server: The address of a tracker, without a slash at the end; empty in process.
  ///   - answers: Answers.
  ///   - logger: Gets a record for each page.
  ///   - now: What time it is, of which what comes is.
  ///   - limit: How long the request for a page may take.
  ///   - hasPeople: Whether there are people already; nobody is asked for them before.
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

  /// Loads some sections, and puts what comes of each on its shelf.
  ///
  /// - Parameter names: Which ones.
  /// - Throws: `PondError`, if the sections are defined wrongly.
  func load(_ names: Set<Name>) async throws {
    _ = try await loader.load(only: names.compactMap { keepers[$0] })
  }

  /// What may go better at once is tried again at once, and later by those who look.
  private static func traits(_ request: SectionRequest, _ limit: Duration) -> [PebbleTrait] {
    [
      .enabled { request.page < mostPages }, .timeout(limit),
      .retry(
        .backoff(
          attempts: 2, initial: .milliseconds(20), only: SectionError.isTransient)),
    ]
  }
}
