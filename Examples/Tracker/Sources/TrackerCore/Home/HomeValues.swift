import Foundation
import People
import SitePages

/// The values for the page template.
struct HomeValues {
  let standing: SiteStanding

  /// The current time in ISO 8601 format, for programs. `now` is the same time in Unix seconds. It
  /// lets countdowns use the server's clock.
  let time: String
  let now: Int64

  /// The date, such as `Thursday, 26 November 2026`. `clock` is the time, such as `07:12 UTC`.
  let day: String
  let clock: String
  let sections: Sections?

  /// The sections as arranged on the page: one at the top, and two columns below it.
  struct Sections {
    let next: Markup
    let latest: Markup
    let cores: Markup
    let failures: Markup
    let people: Markup
  }
}

/// The next launch, later launches, and overdue launches.
struct NextValues {
  let first: LaunchRow?
  let countdown: String?
  let more: [LaunchRow]
  let hasMore: Bool
  let overdue: [LaunchRow]
  let hasOverdue: Bool

  init(_ launches: [Launch], now: Int64) {
    let rows = launches.map { LaunchRow($0, now: now) }
    let ahead = rows.filter { $0.result == "upcoming" }
    first = ahead.first
    countdown = first.flatMap { $0.isExact ? Countdown.text(to: $0.seconds, from: now) : nil }
    more = Array(ahead.dropFirst().prefix(3))
    overdue = Array(rows.filter { $0.result != "upcoming" }.prefix(3))
    (hasMore, hasOverdue) = (!more.isEmpty, !overdue.isEmpty)
  }
}

/// The values that a template needs to show a list, with a link if there are more items.
struct ListValues {
  let rows: [Any]
  let more: String?
  let isAll: Bool

  /// Creates the values for a list.
  ///
  /// - Parameters:
  ///   - items: All loaded items.
  ///   - pages: The number of pages shown.
  ///   - hasMore: Whether there are more items than were loaded.
  ///   - name: The section.
  ///   - view: The view of all sections.
  ///   - row: A closure that creates a row from an item.
  init<Item, Row>(
    _ items: [Item], pages: Int, hasMore: Bool, name: HomeSections.Name, _ view: HomeView,
    row: (Item) -> Row
  ) {
    let shown = items.prefix(pages * HomeSections.pageSize)
    rows = shown.map { row($0) as Any }
    var next = view
    switch name {
    case .latest: next.latest += 1
    case .failures: next.failures += 1
    case .next, .cores, .people: break
    }
    more = shown.count < items.count ? next.address(name, isOnly: true) : nil
    isAll = more == nil && hasMore
  }
}

/// A page of cores, with links to the other pages.
struct CoresValues {
  let rows: [Row]
  let pages: [Page]
  let hasPages: Bool

  struct Row {
    let serial: String
    let status: String
    let flights: Int
    let landings: Int
    let latest: String
    let machine: String?
  }

  struct Page {
    let number: Int
    let address: String
    let isCurrent: Bool
  }

  init(_ cores: [FlownCore], _ view: HomeView) {
    let size = HomeSections.pageSize
    let count = (cores.count + size - 1) / size
    let current = min(view.cores, count)
    rows = cores.dropFirst((current - 1) * size).prefix(size).map(Row.init)
    pages = (1...count).map { number in
      var other = view
      other.cores = number
      return Page(
        number: number, address: other.address(.cores, isOnly: true),
        isCurrent: number == current)
    }
    hasPages = count > 1
  }
}

extension CoresValues.Row {
  fileprivate init(_ core: FlownCore) {
    let date = LaunchDate(seconds: core.latest)
    self.init(
      serial: core.serial ?? Core.shortName(of: core.id), status: core.status ?? "",
      flights: core.flights, landings: core.landings, latest: date?.text ?? "",
      machine: date?.machine)
  }
}

/// Some people, and the number of all people if there are more.
struct PeopleValues {
  let people: [Row]

  /// The number of all people; `nil` if all of them are shown.
  let count: String?

  struct Row {
    let name: String
    let bloodType: String
    let shoeSize: String
  }

  init(people: [SomePerson], count: Int) {
    self.people = people.map(Row.init)
    self.count =
      people.count < count ? count.formatted(.number.locale(Locale(identifier: "en_GB"))) : nil
  }
}

extension PeopleValues.Row {
  /// Creates a row formatted as on the People page: with a typographic minus sign (−), and without
  /// a fraction for whole sizes.
  fileprivate init(_ person: SomePerson) {
    name = person.name
    bloodType = person.bloodType.replacing("-", with: "−")
    shoeSize = ShoeSize(person.shoeSize)?.description ?? ""
  }
}

extension LaunchDate {
  /// Creates a date from Unix seconds, with a precision of one day.
  fileprivate init?(seconds: Int64) {
    self.init(
      Launch(
        id: "", flightNumber: 0, name: "", details: nil, date: seconds, success: nil,
        upcoming: false, rocket: nil))
  }
}
