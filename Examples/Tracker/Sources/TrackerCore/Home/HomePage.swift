import Foundation
import People
import Sections
import SitePages

/// The Home page, which is complete without scripts, whatever the state of its sections.
struct HomePage: Sendable {
  private let home: PageTemplate
  private let frame: PageTemplate
  private let bodies: [HomeSections.Name: PageTemplate]

  /// Reads the page files.
  ///
  /// - Throws: An error if a file cannot be read.
  init() throws {
    func template(_ name: String) throws -> PageTemplate {
      try PageTemplate(name, in: .module, folder: "HomeFiles")
    }
    (home, frame) = (try template("home"), try template("section"))
    bodies = Dictionary(
      uniqueKeysWithValues: try HomeSections.Name.allCases.map { ($0, try template("\($0)")) })
  }

  /// Returns the page.
  ///
  /// - Parameters:
  ///   - contents: The contents of the sections; `nil` if nothing can be loaded.
  ///   - standing: The state of the site.
  ///   - view: The page or the number of pages to show for each section.
  ///   - people: The access to the people service.
  ///   - now: The current time.
  /// - Returns: The page.
  func page(
    _ contents: HomeContents?, _ standing: SiteStanding, _ view: HomeView, _ people: PeopleRoom,
    now: Date
  ) -> SitePage {
    let values = HomeValues(
      standing: standing, time: now.ISO8601Format(), now: Int64(now.timeIntervalSince1970),
      day: now.formatted(Self.days), clock: "\(now.ISO8601Format().dropFirst(11).prefix(5)) UTC",
      sections: contents.map { sections($0, view, people, now) })
    return SitePage(
      title: "Home", place: .home, content: home.render(values),
      styles: ["/\(ClosedHome.filesPath)/home.css"],
      scripts: ["/\(ClosedHome.filesPath)/home.mjs"])
  }

  private static let days = Date.VerbatimFormatStyle(
    format: "\(weekday: .wide), \(day: .defaultDigits) \(month: .wide) \(year: .defaultDigits)",
    locale: Locale(identifier: "en_GB"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))

  private func sections(
    _ contents: HomeContents, _ view: HomeView, _ people: PeopleRoom, _ now: Date
  ) -> HomeValues.Sections {
    let seconds = Int64(now.timeIntervalSince1970)
    func section<Item>(
      _ name: HomeSections.Name, _ shelf: Shelf<Item>, _ values: ([Item]) -> Any
    ) -> Markup {
      let body = shelf.items.flatMap { items in
        items.isEmpty ? nil : bodies[name]?.render(values(items))
      }
      return frame.render(
        SectionValues(
          name, shelf, isLoading: contents.loading.contains(name), body: body, view, now: now))
    }
    return HomeValues.Sections(
      next: section(.next, contents.next) { NextValues($0, now: seconds) },
      latest: section(.latest, contents.latest) { items in
        ListValues(
          items, pages: view.latest, hasMore: contents.latest.hasMore, name: .latest, view
        ) { LaunchRow($0, now: seconds) }
      },
      cores: section(.cores, contents.cores) { CoresValues($0, view) },
      failures: section(.failures, contents.failures) { items in
        ListValues(
          items, pages: view.failures, hasMore: contents.failures.hasMore, name: .failures, view
        ) { FailureRow($0) }
      },
      people: section(.people, contents.people) { items in
        PeopleValues(people: items, count: (try? people.people.people.count) ?? 0)
      })
  }
}

/// The pages that a visitor wants to see. For `cores`, this is the number of the current page; for
/// each other list, the number of pages to show.
struct HomeView: Sendable, Hashable {
  var latest = 1
  var failures = 1
  var cores = 1

  /// Parses a query.
  ///
  /// - Parameter query: The query of the URL. Values that are not numbers are ignored. Numbers are
  ///   clamped to the range from 1 to ``HomeSections/mostPages``.
  init(_ query: FormQuery) {
    func page(_ name: HomeSections.Name) -> Int {
      let number = query["\(name)"].flatMap { Int($0) } ?? 1
      return min(max(1, number), HomeSections.mostPages)
    }
    (latest, failures, cores) = (page(.latest), page(.failures), page(.cores))
  }

  /// Returns the address of Home with this view, scrolled to a section.
  ///
  /// - Parameters:
  ///   - name: The section to scroll to.
  ///   - isOnly: Whether only this section must be loaded.
  /// - Returns: The address.
  func address(_ name: HomeSections.Name, isOnly: Bool = false) -> String {
    let pages: [(HomeSections.Name, Int)] = [
      (.latest, latest), (.failures, failures), (.cores, cores),
    ]
    let fields =
      pages.filter { $0.1 > 1 }.map { "\($0.0)=\($0.1)" } + (isOnly ? ["only=\(name)"] : [])
    return (fields.isEmpty ? "/" : "/?" + fields.joined(separator: "&")) + "#\(name)"
  }
}

/// The state of the whole site, as shown on Home.
struct SiteStanding: Sendable {
  /// The state in a few words.
  let words: String

  /// The notice that explains why the site is stale or offline, with a link to the chain of
  /// pebbles; otherwise `nil`.
  let loss: SitePage.Notice?

  init(_ screen: Site.Screen, now: Date) {
    switch screen {
    case .booting: (words, loss) = ("Starting", nil)
    case .online: (words, loss) = ("Up to date", nil)
    case .closing: (words, loss) = ("Closing", nil)
    case .stale(let loss):
      words = "Not up to date"
      self.loss = SitePage.Notice("stale", "Not up to date.", loss, now)
    case .offline(let loss):
      words = "Offline"
      self.loss = SitePage.Notice("failed", "There is nothing to show.", loss, now)
    }
  }
}

extension SitePage.Notice {
  fileprivate init(_ kind: String, _ title: String, _ loss: Loss, _ now: Date) {
    self.init(
      kind: kind, title: title, sentence: loss.sentence(at: now), address: loss.address)
  }
}
