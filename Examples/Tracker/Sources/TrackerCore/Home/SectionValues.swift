import Foundation
import SitePages

/// The values for the frame around a section, which include its state and its content.
struct SectionValues {
  let name: String
  let title: String
  let more: Link?
  let state: String
  let isLoading: Bool
  let isBeingMade: Bool
  let problem: String?
  let since: String?
  let again: String
  let empty: String?
  let body: String?

  struct Link {
    let address: String
    let name: String
  }

  init<Item>(
    _ name: HomeSections.Name, _ shelf: Shelf<Item>, isLoading: Bool, body: Markup?,
    _ view: HomeView, now: Date
  ) {
    self.name = name.rawValue
    title = name.title
    more = name.more
    let hasItems = shelf.items != nil
    self.isLoading = isLoading && !hasItems
    self.body = body?.text
    problem = shelf.problem.map { "\(name.lost): \($0)." }
    isBeingMade = shelf.isBeingMade && !hasItems
    // Also shown during a reload, which takes longer than a page waits.
    since = hasItems && (shelf.problem != nil || isLoading) ? Self.time(shelf.since, now) : nil
    again = view.address(name, isOnly: true)
    empty = shelf.items?.isEmpty == true && shelf.problem == nil ? name.empty : nil
    state =
      switch (hasItems, shelf.problem != nil, isLoading) {
      case (false, _, true): "loading"
      case (false, true, false): "failed"
      case (false, false, false): "making"
      case (true, true, _): "stale"
      case (true, false, true): "renewing"
      case (true, false, false): shelf.items?.isEmpty == true ? "empty" : "there"
      }
  }

  /// Returns a time such as `08:12 UTC`, preceded by the date if it is not today.
  private static func time(_ since: Date, _ now: Date) -> String {
    let text = since.ISO8601Format()
    let time = "\(text.dropFirst(11).prefix(5)) UTC"
    let day = text.prefix(10)
    return day == now.ISO8601Format().prefix(10) ? time : "\(day), \(time)"
  }
}

extension HomeSections.Name {
  fileprivate var title: String {
    switch self {
    case .next: "Next launch"
    case .latest: "Latest launches"
    case .failures: "Failures, and why"
    case .cores: "Most flown cores"
    case .people: "People of the day"
    }
  }

  fileprivate var more: SectionValues.Link? {
    switch self {
    case .latest: .init(address: "/search", name: "All launches")
    case .people: .init(address: "/people", name: "All people")
    case .next, .failures, .cores: nil
    }
  }

  /// The text shown in an empty section.
  fileprivate var empty: String {
    switch self {
    case .next: "The feed knows of no launch to come."
    case .latest: "The feed knows of no launch yet."
    case .failures: "No launch that the feed knows of has failed."
    case .cores: "The feed does not say which cores have flown."
    case .people: "There is nobody."
    }
  }

  /// The title shown before the reason for a failure.
  fileprivate var lost: String {
    switch self {
    case .next: "The next launch could not be loaded"
    case .latest: "The latest launches could not be loaded"
    case .failures: "The failures could not be loaded"
    case .cores: "The cores could not be loaded"
    case .people: "The people could not be loaded"
    }
  }
}
