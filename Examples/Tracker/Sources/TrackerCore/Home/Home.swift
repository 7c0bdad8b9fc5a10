import Foundation
import Logging
import Sections

/// What is at `/`: sections that are loaded whenever somebody looks, once for all who do.
struct Home: Sendable {
  private let site: Site
  private let sections: HomeSections
  private let patience: Duration
  private let now: @Sendable () -> Date

  /// How old what is there may be, where somebody asks for another section only.
  private static let mostAge: TimeInterval = 60

  /// Makes a Home of which nothing is loaded.
  ///
  /// - Parameters:
  ///   - site: Whose doors stay open while something is loaded.
  ///   - sections: What is on it.
  ///   - patience: How long a page waits for what is slow; it is there without that then.
  ///   - now: What time it is.
  init(
    _ site: Site, _ sections: HomeSections, patience: Duration,
    now: @escaping @Sendable () -> Date
  ) {
    (self.site, self.sections, self.patience, self.now) = (site, sections, patience, now)
  }

  /// Loads, and waits a little.
  ///
  /// - Parameter name: The only section that has to be loaded; all of them if `nil`.
  /// - Returns: What is there then.
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

  /// What is there without a look.
  var contents: HomeContents { sections.shelves.contents }

  private var aged: Set<HomeSections.Name> {
    let (contents, now) = (sections.shelves.contents, now())
    return Set(
      HomeSections.Name.allCases.filter {
        now.timeIntervalSince(contents.since($0)) > Self.mostAge
      })
  }

  /// Goes on when whoever asked has gone: others look as well. What is loaded is a visit of its
  /// own, so the database does not close before it ends.
  private func load(_ names: Set<HomeSections.Name>) {
    guard !names.isEmpty else { return }
    Task.detached { [site, sections] in
      do {
        let visit: Void? = try await site.admit { _ in try await sections.load(names) }
        sections.shelves.end(
          names, visit == nil ? "the site accepts no requests at the moment" : "it was given up")
      } catch {
        sections.shelves.end(names, "\(error)")
      }
    }
  }
}
