import Foundation
import Logging
import Sections

/// The page at `/`. Its sections are loaded when a visitor opens the page, and shared by all
/// visitors.
struct Home: Sendable {
  private let site: Site
  private let sections: HomeSections
  private let patience: Duration
  private let now: @Sendable () -> Date

  /// The age in seconds after which a section is reloaded, even if a visitor requests only another
  /// section.
  private static let mostAge: TimeInterval = 60

  /// Creates the page without loading its sections.
  ///
  /// - Parameters:
  ///   - site: The site, whose doors stay open during a load.
  ///   - sections: The sections.
  ///   - patience: The time to wait for slow sections before the page is shown without them.
  ///   - now: A closure that returns the current time.
  init(
    _ site: Site, _ sections: HomeSections, patience: Duration,
    now: @escaping @Sendable () -> Date
  ) {
    (self.site, self.sections, self.patience, self.now) = (site, sections, patience, now)
  }

  /// Starts a load, waits briefly for it to end, and returns the contents.
  ///
  /// - Parameter name: The only section that must be loaded; `nil` for all.
  /// - Returns: The contents after the wait.
  func contents(of name: HomeSections.Name?) async -> HomeContents {
    let wanted = name.map { aged.union([$0]) } ?? Set(HomeSections.Name.allCases)
    load(sections.shelves.begin(wanted))
    await withTaskGroup { group in
      group.addTask { [shelves = sections.shelves] in await shelves.settled(wanted) }
      group.addTask { [patience] in try? await Task.sleep(for: patience) }
      await group.next()
      group.cancelAll()
    }
    return sections.shelves.contents
  }

  /// The current contents. Reading them does not start a load.
  var contents: HomeContents { sections.shelves.contents }

  private var aged: Set<HomeSections.Name> {
    let (contents, now) = (sections.shelves.contents, now())
    return Set(
      HomeSections.Name.allCases.filter {
        now.timeIntervalSince(contents.since($0)) > Self.mostAge
      })
  }

  /// Loads sections in a task that continues after the client has disconnected, because other
  /// clients see the sections as well. The load counts as a visit, so the database is not closed
  /// until the load has ended.
  private func load(_ names: Set<HomeSections.Name>) {
    guard !names.isEmpty else { return }
    Task.detached { [site, sections] in
      do {
        // A load puts each of its sections on the shelves. Another load of one may be under way
        // when this one has ended.
        let visit: Void? = try await site.admit { _ in try await sections.load(names) }
        if visit == nil {
          sections.shelves.giveUp(names, "the site accepts no requests at the moment")
        }
      } catch {
        sections.shelves.giveUp(names, "\(error)")
      }
    }
  }
}
