import Foundation
import People
import Sections
import SitePages

/// Makes the page of Home: complete without a script, whatever has come of its sections.
struct HomePage: Sendable {
  private let home: PageTemplate
  private let frame: PageTemplate
  private let bodies: [HomeSections.Name: PageTemplate]

  /// - Throws: What reading the page's files throws.
  init() throws {
    func template(_ name: String) throws -> PageTemplate {
      try PageTemplate(name, in: .module, folder: "HomeFiles")
    }
    (home, frame) = (try template("home"), try template("section"))
    bodies = Dictionary(
      uniqueKeysWithValues: try HomeSections.Name.allCases.map { ($0, try template("\($0)")) })
  }

  /// The page.
  ///
  /// - Parameters:
  ///   - contents: What there is of the sections; `nil` if there is nothing that could be loaded.
  ///   - standing: What is to be said of the site.
  ///   - view: What somebody wants to see of the sections.
  ///   - people: Where people are.
  ///   - now: What time it is.
  /// - Returns: It.
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

/// What somebody wants to see of the sections: how many pages, or which one.
struct HomeView: Sendable, Hashable {
  var latest = 1
  var failures = 1
  var cores = 1

  /// - Parameter query: Of the address; what cannot be meant is left out.
  init(_ query: FormQuery) {
    func page(_ name: HomeSections.Name) -> Int {
      let number = query["\(name)"].flatMap { Int($0) } ?? 1
      return min(max(1, number), HomeSections.mostPages)
    }
    (latest, failures, cores) = (page(.latest), page(.failures), page(.cores))
  }

  /// Where Home looks like this, from a section on.
  ///
  /// - Parameters:
  ///   - name: Where it is scrolled to.
  ///   - isOnly: Whether this section is what has to be loaded.
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

/// What is to be said of the site as a whole.
struct SiteStanding: Sendable {
  /// In some words.
  let words: String

  /// Why it is not online, and where the chain of pebbles is that led to it; `nil` if it is.
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
